import { checkedText, checkReply, type ReplyEntry } from '../../src/reply/index.ts';

/**
 * Reads hostile text of two lengths, whole and as a stream, a few shapes of it a megabyte long, and
 * prints the processor time of each in milliseconds.
 */
const kilobyte = 1_000;
const shapes: Readonly<Record<string, string>> = {
  'open brackets': '[',
  'open braces and quotes': '{"a":',
  quotation: '"',
  'list markers': '- \n',
  headings: '# I have refunded order #W1:\n',
  'false claims': 'I have refunded order #W1. ',
  'false items': '- Order #W1 was cancelled\n',
  promises: 'You will receive a refund of $20. ',
  amounts: 'The total is $1.37, ',
  'one word': 'x',
  'one code': 'W1-',
  commas: 'and, ',
  negations: 'not could not was not ',
  'table rows': '| #W1 | refunded | $20 |\n',
  blanks: ' ',
  'blank lines': '\n',
  'full stops': '. ',
  'no ends': 'the refund has been ',
  'exclaimed headings': 'Done:\n',
  'words of many phrases': 'I was not able to have not been able to ',
};
const aMegabyte: readonly string[] = ['open brackets', 'false claims', 'one word', 'no ends'];
const entries: readonly ReplyEntry[] = [
  { tool: 'refund_order', input: { order_id: '#W1', amount: 20 }, outcome: 'unknown' },
  { tool: 'cancel_order', input: { order_id: '#W2' }, outcome: 'ok' },
];

async function* inPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 200) yield text.slice(at, at + 200);
}

const ways: Readonly<Record<string, (text: string) => void | Promise<void>>> = {
  whole: (text) => {
    checkReply(text, entries, { reads: [] });
  },
  stream: async (text) => {
    for await (const _ of checkedText(inPieces(text), { entries: () => entries, reads: [] })) {
      // What is shown is not looked at here.
    }
  },
};

for (const [shape, part] of Object.entries(shapes)) {
  const [short, long] = aMegabyte.includes(shape) ? [256, 1_000] : [64, 256];
  for (const [way, read] of Object.entries(ways)) {
    const spent: number[] = [];
    for (const length of [short * kilobyte, long * kilobyte]) {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
      const before = process.cpuUsage();
      await read(text);
      const { user, system } = process.cpuUsage(before);
      spent.push(Math.round((user + system) / 1_000));
    }
    process.stdout.write(`${JSON.stringify([shape, way, ...spent])}\n`);
  }
}
