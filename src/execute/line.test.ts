import { describe, expect, test } from 'vitest';
import { systemClock } from '../call/clock.ts';
import { JumpingClock } from '../testing/jumping-clock.ts';
import { Lanes } from './lanes.ts';
import { Line, type Patience, type Place } from './line.ts';

const forEver: Patience = { stops: [], onLate: () => () => undefined };

function leave(place: Place): void {
  if (!place.had) throw new Error(`no place: ${place.why}`);
  place.leave();
}

function noting(order: string[], name: string): (place: Place) => Place {
  return (place) => {
    order.push(name);
    return place;
  };
}

describe('a line', () => {
  test('lets in as many as it has places, and the others in order of arrival', async () => {
    const line = new Line(2, 10);
    const first = await line.enter(forEver);
    await line.enter(forEver);
    const order: string[] = [];
    const third = Promise.resolve(line.enter(forEver)).then(noting(order, 'third'));
    const fourth = Promise.resolve(line.enter(forEver)).then(noting(order, 'fourth'));
    expect(line.waiting).toBe(2);
    leave(first);
    leave(await third);
    leave(await fourth);
    expect(order).toEqual(['third', 'fourth']);
  });

  test('a place given back twice counts once', async () => {
    const line = new Line(1, 10);
    const place = await line.enter(forEver);
    leave(place);
    leave(place);
    await line.enter(forEver);
    expect(line.isIdle).toBe(false);
  });

  test('refuses who would make it longer than its bound', async () => {
    const line = new Line(1, 1);
    await line.enter(forEver);
    void line.enter(forEver);
    expect(await line.enter(forEver)).toEqual({ had: false, why: 'full' });
  });

  test('who leaves from the middle, or is late, does not hold up the others', async () => {
    const line = new Line(1, 10);
    const first = await line.enter(forEver);
    const leaving = new AbortController();
    const second = line.enter({ ...forEver, stops: [leaving.signal] });
    let beLate = (): void => undefined;
    const third = line.enter({
      stops: [],
      onLate: (task) => {
        beLate = task;
        return () => undefined;
      },
    });
    const fourth = line.enter(forEver);
    leaving.abort();
    beLate();
    leave(first);
    expect(await second).toEqual({ had: false, why: 'aborted' });
    expect(await third).toEqual({ had: false, why: 'late' });
    expect((await fourth).had).toBe(true);
  });

  test('once it is closed, who waits is told so and nobody else gets a place', async () => {
    const line = new Line(1, 10);
    const first = await line.enter(forEver);
    const second = line.enter(forEver);
    line.close();
    expect(await second).toEqual({ had: false, why: 'aborted' });
    leave(first);
    expect(line.enter(forEver)).toEqual({ had: false, why: 'aborted' });
  });

  test('who comes with an aborted signal gets no place, even where one is free', async () => {
    const place = await new Line(1, 1).enter({ ...forEver, stops: [AbortSignal.abort()] });
    expect(place).toEqual({ had: false, why: 'aborted' });
  });
});

describe('lanes', () => {
  test('one at a time in a lane, lanes side by side', async () => {
    const lanes = new Lanes(10, systemClock);
    const a = await lanes.enter('a', forEver);
    expect((await lanes.enter('b', forEver)).had).toBe(true);
    const entered: string[] = [];
    const second = lanes.enter('a', forEver).then(noting(entered, 'second'));
    await Promise.resolve();
    expect(entered).toEqual([]);
    expect(lanes.isIdle('a')).toBe(false);
    leave(a);
    leave(await second);
    expect(lanes.isIdle('a')).toBe(true);
  });

  test('who has had it for long while others wait leaves it open for a moment, in the same order', async () => {
    const clock = new JumpingClock();
    const lanes = new Lanes(10, clock);
    const entered: string[] = [];
    const first = await lanes.enter('a', forEver);
    const second = lanes.enter('a', forEver).then(noting(entered, 'second'));
    void lanes.enter('a', forEver).then(noting(entered, 'third'));
    clock.jump(3_000);
    leave(first);
    await new Promise((resolve) => setImmediate(resolve));
    expect(entered).toEqual([]);
    clock.jump(250);
    leave(await second);
    await new Promise((resolve) => setImmediate(resolve));
    expect(entered).toEqual(['second', 'third']);
  });

  test('where nobody waits, it is left at once', async () => {
    const clock = new JumpingClock();
    const lanes = new Lanes(10, clock);
    const only = await lanes.enter('a', forEver);
    clock.jump(60_000);
    leave(only);
    expect(lanes.isIdle('a')).toBe(true);
  });

  test('once they are closed, who waits is told so, and no lane is had any more', async () => {
    const lanes = new Lanes(10, systemClock);
    const first = await lanes.enter('a', forEver);
    const second = lanes.enter('a', forEver);
    lanes.close();
    expect(await second).toEqual({ had: false, why: 'aborted' });
    leave(first);
    expect(await lanes.enter('a', forEver)).toEqual({ had: false, why: 'aborted' });
    expect(await lanes.enter('b', forEver)).toEqual({ had: false, why: 'aborted' });
  });

  test('the bound is on all who wait, in whatever lane', async () => {
    const lanes = new Lanes(2, systemClock);
    for (const lane of ['a', 'b', 'c']) await lanes.enter(lane, forEver);
    void lanes.enter('a', forEver);
    void lanes.enter('b', forEver);
    expect(await lanes.enter('c', forEver)).toEqual({ had: false, why: 'full' });
  });
});
