import { describe, expect, it } from 'vitest';
import type { Condition } from './config.ts';
import { fillIn, fillInPath, findingOf } from './reconcile-rule.ts';

describe('fillIn', () => {
  const args = { id: 7, name: 'a', deep: { x: [1] }, gone: null };

  it('replaces a whole text by the value, and a part by its text', () => {
    expect(fillIn({ q: '{id}', t: 'n:{name}/{id}', l: ['{deep.x}'] }, args)).toEqual({
      q: 7,
      t: 'n:a/7',
      l: [[1]],
    });
  });

  it('has null, or nothing, for what is not there', () => {
    expect(fillIn(['{other}', 'a{other}b', '{gone}'], args)).toEqual([null, 'ab', null]);
    expect(fillInPath('{id}', args)).toBe('7');
    expect(fillInPath('{__proto__}{toString}', args)).toBe('');
  });
});

describe('findingOf', () => {
  const answer = {
    content: [{ type: 'text', text: '{"items":[{"id":7,"sum":5},{"id":8}]}' }],
    structuredContent: { 'a/b': 1 },
  };
  const find = (happened: Condition[], didNotHappen: Condition[] = []): string =>
    findingOf({ tool: 't', happened, didNotHappen }, answer, { id: 7 }).finding;

  it.each<[Condition, string]>([
    [{ at: '/json/items', contains: { id: '{id}' } }, 'happened'],
    [{ at: '/json/items', contains: { id: 9 } }, 'not_known_yet'],
    [{ at: '/json/items/0/sum', equals: 5 }, 'happened'],
    [{ at: '/json/items/0/sum', equals: '5' }, 'not_known_yet'],
    [{ at: '/json/items/9', exists: false }, 'happened'],
    [{ at: '/json/items/0', exists: false }, 'not_known_yet'],
    [{ at: '/text', contains: '"id":{id}' }, 'happened'],
    [{ at: '/text', contains: '{none}' }, 'not_known_yet'],
    [{ at: '/structuredContent/a~1b', equals: 1 }, 'happened'],
    [{ at: '/constructor', exists: true }, 'not_known_yet'],
  ])('%j: %s', (condition, finding) => {
    expect(find([condition])).toBe(finding);
  });

  it('wants all of it, and nothing that speaks against it', () => {
    const yes: Condition = { at: '/json/items', exists: true };
    const no: Condition = { at: '/json/items/0/id', equals: 8 };
    expect(find([yes, no])).toBe('not_known_yet');
    expect(find([yes], [yes])).toBe('not_known_yet');
    expect(find([no], [yes])).toBe('did_not_happen');
    expect(find([], [])).toBe('not_known_yet');
  });

  it('takes no error for an answer', () => {
    const rule = { tool: 't', didNotHappen: [{ at: '/json', equals: null }] };
    expect(findingOf(rule, { content: [], isError: true }, {}).finding).toBe('not_known_yet');
    expect(findingOf(rule, { content: [] }, {}).finding).toBe('did_not_happen');
  });
});
