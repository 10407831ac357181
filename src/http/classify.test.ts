import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accepted,
  answered,
  type Evidence,
  noEvidence,
  notSent,
  rejected,
} from '../call/evidence.ts';
import type { StatusContract } from '../call/tool.ts';
import { checkContract, classify, type ExchangeEnd, sumEvidence } from './classify.ts';

const docs = readFileSync(new URL('../../docs/http.md', import.meta.url), 'utf8');

interface Row {
  readonly ends: readonly ExchangeEnd[];
  /** Left out: with a key and without. */
  readonly keyed?: boolean;
  readonly contract?: StatusContract;
}

const error = (code: string, written?: boolean, syscall?: string): ExchangeEnd => ({
  end: 'error',
  traces: [syscall === undefined ? { code } : { code, syscall }],
  written,
});
const status = (...all: readonly number[]): readonly ExchangeEnd[] =>
  all.map((one) => ({ end: 'response', status: one, body: 'complete' }));
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
const others = range(400, 499).filter(
  (one) => ![400, 401, 403, 404, 405, 410, 412, 415, 409, 422, 408, 425, 429].includes(one),
);

/** What each row of the table in docs/http.md stands for. */
const rows: Readonly<Record<string, Row>> = {
  'connection refused': {
    ends: [error('ECONNREFUSED'), error('ECONNREFUSED', undefined, 'connect')],
  },
  'name not found': {
    ends: [error('ENOTFOUND'), error('EAI_AGAIN'), error('ESERVFAIL', undefined, 'queryA')],
  },
  'TLS failure before the connection stood': {
    ends: [
      error('DEPTH_ZERO_SELF_SIGNED_CERT'),
      error('CERT_HAS_EXPIRED'),
      error('ERR_TLS_CERT_ALTNAME_INVALID'),
      error('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'),
      error('ERR_SSL_WRONG_VERSION_NUMBER', false),
      error('ECONNRESET', false),
    ],
  },
  'connect timeout': {
    ends: [error('UND_ERR_CONNECT_TIMEOUT'), error('ETIMEDOUT', undefined, 'connect')],
  },
  'held back: the time for sending was over': { ends: [{ end: 'withheld', why: 'too late' }] },
  'failed, or called off, before a byte was written': {
    ends: [error('UND_ERR_SOCKET', false), error('AbortError', false), error('ECONNRESET', false)],
  },
  'stale kept-alive connection, may have been written': {
    ends: [error('UND_ERR_SOCKET', true), error('UND_ERR_SOCKET'), error('EPIPE')],
  },
  'reset after it was sent': {
    ends: [error('ECONNRESET', true), error('ECONNRESET'), error('ECONNRESET', undefined, 'read')],
  },
  'headers timeout': { ends: [error('UND_ERR_HEADERS_TIMEOUT')] },
  'body timeout': {
    ends: [error('UND_ERR_BODY_TIMEOUT'), { end: 'response', status: 200, body: 'truncated' }],
  },
  'called off after it was sent': { ends: [error('AbortError', true), error('TimeoutError')] },
  'answer that is no HTTP': { ends: [error('HPE_INVALID_CONSTANT', true)] },
  'any status with a truncated body': {
    ends: range(200, 599).map((one) => ({ end: 'response', status: one, body: 'truncated' })),
  },
  'any status with an over-long body': {
    ends: range(200, 599).map((one) => ({ end: 'response', status: one, body: 'too_long' })),
  },
  '200, 201, 204 and every other 2xx but 202': {
    ends: status(...range(200, 299).filter((one) => one !== 202)),
  },
  '202': { ends: status(202) },
  '202 under `contract.answers`': { ends: status(202), contract: { answers: [202] } },
  '3xx': { ends: status(...range(300, 399)) },
  '3xx under `contract.answers`': {
    ends: status(...range(300, 399)),
    contract: { answers: range(300, 399) },
  },
  '400, 401, 403, 404, 405, 410, 412, 415': {
    ends: status(400, 401, 403, 404, 405, 410, 412, 415),
  },
  '409, 422 without a key': { ends: status(409, 422), keyed: false },
  '409, 422 with a key': {
    ends: status(409, 422),
    keyed: true,
    contract: { rejects: [409, 422] },
  },
  '425, 429': { ends: status(425, 429) },
  '425, 429 under `contract.rejects`': {
    ends: status(425, 429),
    contract: { rejects: [425, 429] },
  },
  '408': { ends: status(408), contract: { rejects: [408] } },
  '402, 406, 413, 423, 428 and every other 4xx': { ends: status(...others) },
  'other 4xx under `contract.rejects`, but 408': {
    ends: status(...others),
    contract: { rejects: others },
  },
  '5xx': { ends: status(...range(500, 599)), contract: { rejects: range(500, 599) } },
};

const table = [...docs.matchAll(/^\| (.+) \| `(answered|accepted|rejected|not_sent|none)` \|$/gm)];

function nameOf(evidence: Evidence): string {
  return evidence.evidence === 'none' && evidence.accepted ? 'accepted' : evidence.evidence;
}

describe('the table of docs/http.md', () => {
  test('has exactly these rows', () => {
    expect(table.map(([, row]) => row).sort()).toEqual(Object.keys(rows).sort());
  });

  test.each(table.map(([, row = '', evidence = '']) => [row, evidence]))(
    '%s: %s',
    (row, evidence) => {
      const { ends, keyed, contract } = rows[row] as Row;
      for (const end of ends) {
        for (const withKey of keyed === undefined ? [true, false] : [keyed]) {
          expect(nameOf(classify(end, { keyed: withKey, contract })), JSON.stringify(end)).toBe(
            evidence,
          );
        }
      }
    },
  );
});

const anyEnd: fc.Arbitrary<ExchangeEnd> = fc.oneof(
  fc.record({ end: fc.constant('withheld' as const), why: fc.string() }),
  fc.record({
    end: fc.constant('response' as const),
    status: fc.oneof(fc.integer({ min: 0, max: 999 }), fc.constantFrom(200, 202, 303, 409, 429)),
    body: fc.constantFrom('complete' as const, 'truncated' as const, 'too_long' as const),
  }),
  fc.record({
    end: fc.constant('error' as const),
    traces: fc.array(
      fc.record({
        code: fc.constantFrom('ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'UND_ERR_SOCKET', 'X'),
      }),
      { maxLength: 4 },
    ),
    written: fc.constantFrom(true, false, undefined),
  }),
);
const anyStatuses = fc.array(fc.integer({ min: 100, max: 599 }), { maxLength: 50 });
const anyRules = fc.record({
  keyed: fc.boolean(),
  contract: fc.option(fc.record({ rejects: anyStatuses, answers: anyStatuses }), {
    nil: undefined,
  }),
});

describe('classify', () => {
  test('proves that it happened only by a whole 2xx, or 202 and 3xx under a contract', () => {
    fc.assert(
      fc.property(anyEnd, anyRules, (end, rules) => {
        const isProof =
          end.end === 'response' &&
          end.body === 'complete' &&
          ((end.status >= 200 && end.status < 300 && end.status !== 202) ||
            ((end.status === 202 || (end.status >= 300 && end.status < 400)) &&
              rules.contract?.answers?.includes(end.status) === true));
        expect(classify(end, rules).evidence === 'answered').toBe(isProof);
      }),
    );
  });

  test('proves that nothing changed only by a whole 4xx; with a key never by 409 or 422', () => {
    fc.assert(
      fc.property(anyEnd, anyRules, (end, rules) => {
        if (classify(end, rules).evidence !== 'rejected') return;
        expect(end).toMatchObject({ end: 'response', body: 'complete' });
        const { status: told } = end as { status: number };
        expect(told).toBeGreaterThanOrEqual(400);
        expect(told).toBeLessThan(500);
        expect(told).not.toBe(408);
        if (rules.keyed) expect([409, 422]).not.toContain(told);
      }),
    );
  });

  test('says that nothing was sent only without a byte written', () => {
    fc.assert(
      fc.property(anyEnd, anyRules, (end, rules) => {
        if (classify(end, rules).evidence !== 'not_sent') return;
        expect(end.end).not.toBe('response');
        if (end.end === 'error') expect(end.written).not.toBe(true);
      }),
    );
  });

  test('a key, and the lack of a contract, never make more of an end', () => {
    fc.assert(
      fc.property(anyEnd, (end) => {
        const bare = classify(end, { keyed: false });
        const keyed = classify(end, { keyed: true });
        if (keyed.evidence !== 'none') expect(keyed).toEqual(bare);
      }),
    );
  });
});

describe('a contract', () => {
  test.each([
    [{ rejects: [503] }],
    [{ rejects: [408] }],
    [{ rejects: [200] }],
    [{ answers: [200] }],
    [{ answers: [409] }],
  ])('%o is refused', (contract) => {
    expect(() => checkContract(contract)).toThrow(RangeError);
  });

  test('of statuses that may be proof is taken', () => {
    expect(() => checkContract({ rejects: [429, 402], answers: [202, 303] })).not.toThrow();
    expect(() => checkContract(undefined)).not.toThrow();
  });
});

const anyEvidence: fc.Arbitrary<Evidence<number>> = fc.constantFrom<Evidence<number>>(
  answered(200),
  rejected('answered 400'),
  notSent('ECONNREFUSED'),
  noEvidence('ECONNRESET'),
  accepted('answered 202'),
);

describe('several sends', () => {
  test('a rejection after one that is open proves nothing', () => {
    expect(sumEvidence([noEvidence('ECONNRESET'), rejected('answered 404')])).toEqual(
      noEvidence('ECONNRESET'),
    );
    expect(sumEvidence([noEvidence('ECONNRESET'), notSent('ECONNREFUSED')])).toEqual(
      noEvidence('ECONNRESET'),
    );
  });

  test('prove what one send would, wherever it stands among them', () => {
    fc.assert(
      fc.property(fc.array(anyEvidence), (sends) => {
        const kinds = new Set(sends.map(({ evidence }) => evidence));
        const expected = (['answered', 'none', 'rejected', 'not_sent'] as const).find((kind) =>
          kinds.has(kind),
        );
        expect(sumEvidence(sends).evidence).toBe(expected ?? 'not_sent');
      }),
    );
  });
});
