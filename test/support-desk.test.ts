import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { broken, type Played, playForthright, playNaive } from '../examples/support-desk/play.ts';
import type { Scenario } from '../examples/support-desk/scenario.ts';
import { scenarios } from '../examples/support-desk/scenarios/index.ts';
import type { Entry, Result } from '../src/index.ts';

const directory = mkdtempSync(join(tmpdir(), 'forthright-desk-test-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const patienceMs = 60_000;

function scenario(name: string): Scenario {
  const found = scenarios.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no scenario ${name}`);
  return found;
}

/** On a ledger of its own. */
const play = (name: string): Promise<Played> =>
  playForthright(scenario(name), mkdtempSync(join(directory, 'ledger-')));

/** Every result that the model was told, in order. */
function results({ stage }: Played): readonly Result[] {
  return stage.runs.flatMap(({ plan }) =>
    plan.steps.flatMap((step) => ('result' in step ? [step.result] : [])),
  );
}

const firstRefund = { confirmation: 'R-1001', orderId: 4512, amountCents: 2000 };
const oneRefund = [2000];
const settledOk: Partial<Entry> = { state: 'ok', unproven: 0, marked: false };

describe('the scenarios of the support desk, each counted at billing over HTTP', () => {
  it('are these', () => {
    expect(scenarios.map(({ name }) => name).toSorted()).toEqual(
      [...Object.keys(exact), 'samples', 'dates', 'tickets'].toSorted(),
    );
  });

  const exact: Readonly<Record<string, (played: Played) => void>> = {
    'timeout-before-send'(played) {
      expect(played.refunds).toEqual(oneRefund);
      const [first, second] = results(played);
      expect(first).toMatchObject({ outcome: 'failed', code: 'timeout_before_send' });
      expect(second).toMatchObject({ outcome: 'ok', data: firstRefund });
      expect(played.entries).toMatchObject([{ ...settledOk, generation: 1, token: 2 }]);
    },
    'late-answer'(played) {
      expect(played.refunds).toEqual(oneRefund);
      const [first, second, third] = results(played);
      expect(first).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
      expect(second).toMatchObject({ outcome: 'unknown', code: 'still_confirming' });
      expect(third).toMatchObject({ outcome: 'already_done', data: firstRefund });
      // The attempt's own answer settled it, nobody's verdict.
      expect(played.entries).toMatchObject([{ ...settledOk, verdict: null, provenToken: 1 }]);
    },
    'lost-answer'(played) {
      expect(played.refunds).toEqual(oneRefund);
      const [first, second, third] = results(played);
      expect(first).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
      expect(second).toMatchObject({ outcome: 'unknown', code: 'still_confirming' });
      expect(third).toMatchObject({ outcome: 'already_done', data: firstRefund });
      expect(played.entries).toMatchObject([{ ...settledOk, verdict: { by: 'reconcile' } }]);
    },
    'commit-503'(played) {
      expect(played.refunds).toEqual(oneRefund);
      const [first, second, third] = results(played);
      expect(first).toMatchObject({ outcome: 'unknown', code: 'sent_no_answer' });
      expect(second).toMatchObject({ outcome: 'unknown', code: 'still_confirming' });
      expect(third).toMatchObject({ outcome: 'already_done', data: firstRefund });
      expect(played.entries).toMatchObject([settledOk]);
    },
    'false-claim'(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(played.entries).toMatchObject([{ state: 'unknown' }]);
      const [run] = played.stage.runs;
      expect(run?.text).not.toContain('have refunded');
      expect(run?.findings).toMatchObject([{ code: 'not_proven', entity: expect.any(String) }]);
    },
    'check-write'(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(results(played)[1]).toMatchObject({
        outcome: 'ok',
        data: { outcome: 'ok', tool: 'refund_order', data: firstRefund },
      });
      expect(played.entries).toMatchObject([settledOk]);
    },
    'never-arrived'(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(results(played)[1]).toMatchObject({ outcome: 'ok', data: firstRefund });
      // A verdict is no proof about the wire, so the second try is of the same generation.
      expect(played.entries).toMatchObject([{ ...settledOk, generation: 1, token: 2 }]);
    },
    refused(played) {
      expect(played.refunds).toEqual([]);
      expect(results(played)).toMatchObject([
        { outcome: 'failed', code: 'exceeds_order', outputs: { leftCents: 8000 } },
      ]);
      expect(played.entries).toMatchObject([
        { state: 'failed', failedBy: 'rejected', unproven: 0 },
      ]);
    },
    twins(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(results(played)).toMatchObject([
        { outcome: 'ok', data: firstRefund },
        { outcome: 'skipped', code: 'already_in_progress' },
      ]);
      expect(played.entries).toMatchObject([settledOk]);
    },
    reworded(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(results(played)).toMatchObject([
        { outcome: 'ok', data: firstRefund },
        { outcome: 'already_done', data: firstRefund },
      ]);
      expect(played.entries).toMatchObject([settledOk]);
    },
    'later-turn'(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(played.stage.runs).toHaveLength(2);
      expect(results(played)[1]).toMatchObject({ outcome: 'already_done', data: firstRefund });
      expect(played.entries).toMatchObject([{ ...settledOk, turn: '1' }]);
    },
    'customer-leaves'(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(played.stage.runs[0]?.ending).toEqual({ kind: 'cancelled' });
      expect(results(played)).toMatchObject([
        { outcome: 'ok', data: firstRefund },
        { outcome: 'already_done', data: firstRefund },
      ]);
      expect(played.entries).toMatchObject([settledOk]);
    },
    'another-amount'(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(results(played)[1]).toMatchObject({
        outcome: 'failed',
        code: 'lane_unsettled',
        outputs: { toolName: 'refund_order', ref: played.entries[0]?.key },
      });
      expect(played.entries).toMatchObject([{ state: 'unknown', unproven: 1 }]);
    },
    'dies-before-dispatch'(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(results(played)).toMatchObject([{ outcome: 'ok', data: firstRefund }]);
      expect(played.entries).toMatchObject([{ ...settledOk, token: 2 }]);
    },
    'dies-after-mark'(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(results(played)).toMatchObject([
        { outcome: 'unknown', code: 'still_confirming' },
        { outcome: 'ok', data: firstRefund },
      ]);
      expect(played.entries).toMatchObject([{ ...settledOk, token: 2 }]);
    },
    'dies-after-dispatch'(played) {
      expect(played.refunds).toEqual(oneRefund);
      expect(results(played)).toMatchObject([
        { outcome: 'skipped', code: 'already_in_progress' },
        { outcome: 'unknown', code: 'still_confirming' },
        { outcome: 'already_done', data: firstRefund },
      ]);
      expect(played.entries).toMatchObject([{ ...settledOk, verdict: { by: 'reconcile' } }]);
    },
    'second-process'(played) {
      // Billing got around to the first one, and was never sent the second.
      const { requests } = played.stage.billing;
      expect(requests.filter((one) => one === 'POST /refunds')).toHaveLength(1);
      expect(played.refunds).toEqual(oneRefund);
      expect(results(played)).toMatchObject([{ outcome: 'failed', code: 'lane_unsettled' }]);
      expect(played.entries).toMatchObject([{ state: 'unknown', unproven: 1 }]);
    },
    'ledger-away'(played) {
      expect(played.refunds).toEqual(oneRefund);
      const [first, second, third] = results(played);
      expect(first).toMatchObject({
        outcome: 'ok',
        data: firstRefund,
        warnings: [{ code: 'record_pending' }],
      });
      expect(second).toMatchObject({ outcome: 'failed', code: 'ledger_unavailable' });
      expect(third).toMatchObject({ outcome: 'already_done', data: firstRefund });
      expect(played.entries).toMatchObject([settledOk]);
    },
    'slow-mark'(played) {
      expect(played.refunds).toEqual(oneRefund);
      const [first, second] = results(played);
      expect(first).toMatchObject({ outcome: 'failed', code: 'timeout_before_send' });
      expect(second).toMatchObject({ outcome: 'ok', data: firstRefund });
      expect(played.entries).toMatchObject([{ ...settledOk, token: 2 }]);
    },
    'five-at-once'(played) {
      // The scenario goes on only once all five are at billing at the same time.
      expect(played.refunds).toEqual([500, 500, 500, 500, 500]);
      expect(new Set(played.entries.map(({ lane }) => lane)).size).toBe(5);
      expect(played.entries).toMatchObject(Array(5).fill(settledOk));
    },
    'three-in-order'(played) {
      expect(played.refunds).toEqual([100, 200, 300]);
      expect(played.mostAtOnce).toBe(1);
      expect(played.entries).toMatchObject(Array(3).fill(settledOk));
    },
    address(played) {
      expect(played.addresses).toEqual(['Rosenweg 1', 'Hafenstrasse 9', 'Rosenweg 1']);
      expect(results(played)).toMatchObject(Array(3).fill({ outcome: 'ok', code: 'done' }));
      expect(played.entries).toMatchObject([
        { ...settledOk, generation: 2 },
        { ...settledOk, generation: 1 },
      ]);
    },
    repeat(played) {
      expect(played.refunds).toEqual([2000, 2000]);
      expect(results(played)).toMatchObject([
        { outcome: 'ok', data: firstRefund },
        { outcome: 'failed', code: 'repeat_not_allowed' },
        { outcome: 'ok', data: { ...firstRefund, confirmation: 'R-1002' } },
      ]);
      expect(played.entries).toMatchObject([settledOk, settledOk]);
    },
    approval(played) {
      expect(played.refunds).toEqual([24_900]);
      expect(played.stage.runs.map(({ ending }) => ending.kind)).toEqual([
        'approval_required',
        'replied',
        'replied',
      ]);
      expect(played.entries).toMatchObject([settledOk]);
    },
  };

  it.each(Object.keys(exact))(
    '%s',
    async (name) => {
      const played = await play(name);
      expect(broken(scenario(name), played)).toEqual([]);
      exact[name]?.(played);
    },
    patienceMs,
  );

  it('ask nobody for what is settled: a repeated call sends nothing', async () => {
    const played = await play('later-turn');
    expect(played.stage.billing.requests.filter((one) => one === 'POST /refunds')).toHaveLength(1);
  });
});

describe('the same on the desk as it is written today', () => {
  it.each([
    'late-answer',
    'lost-answer',
    'commit-503',
    'twins',
    'reworded',
    'customer-leaves',
    'another-amount',
  ])('%s pays more than was meant', async (name) => {
    const meant = scenario(name).refunds.reduce((sum, cents) => sum + cents, 0);
    const { refunds } = await playNaive(scenario(name), () => undefined);
    expect(refunds.reduce((sum, cents) => sum + cents, 0)).toBeGreaterThan(meant);
  });
});

describe('what the desk is told of calls that are wrong', () => {
  it.each(['samples', 'dates', 'tickets'])('%s', async (name) => {
    const played = await play(name);
    expect(broken(scenario(name), played)).toEqual([]);
    expect(played.entries).toEqual([]);
  });

  it('holds nothing of the exception of a store', async () => {
    const { stage } = await play('tickets');
    const seen = JSON.stringify(
      stage.runs.map(({ messages, plan, text }) => [messages, plan, text]),
    );
    expect(seen).toContain('The tool failed unexpectedly');
    for (const secret of ['hunter2', '/var/lib', 'pg:', 'at findTicket']) {
      expect(seen).not.toContain(secret);
    }
  });

  it('marks the steps as what they are', async () => {
    const { stage } = await play('tickets');
    const statuses = stage.runs.flatMap(({ plan }) => plan.steps.map(({ status }) => status));
    expect(statuses).toEqual(['needs_clarification', 'failed', 'blocked', 'failed', 'completed']);
    expect(stage.runs[0]?.clarification).toMatchObject({ parameterName: 'ticketId' });
  });
});
