import { lastResults, reply, scriptedModel, toolCall, toolCalls } from 'forthright/agent';
import type { Scenario } from '../scenario.ts';

/** Calls that are wrong, and results from which a model recovers. */
export const recovery: readonly Scenario[] = [
  {
    name: 'samples',
    title: 'Five calls as a model might send them',
    refunds: [],
    told: [
      'ok done',
      'failed unknown_tool',
      'failed missing_argument',
      'failed invalid_argument_shape',
      'failed invalid_json',
    ],
    ledger: [],
    async play({ say }) {
      const model = scriptedModel([
        toolCalls(
          toolCall('get_order', '{"orderId":4512}'),
          toolCall('cancel_order', '{"orderId":7781}'),
          toolCall('get_order', '{}'),
          toolCall('get_order', '{"orderId":"ABC-12"}'),
          toolCall('get_order', '{"orderId":45'),
        ),
        reply('I found order 4512.'),
      ]);
      await say('What do you know about my order?', { model });
    },
  },
  {
    name: 'dates',
    title: 'A range of days that is reversed, and one that lacks its start',
    refunds: [],
    told: ['failed invalid_date_range', 'ok done', 'failed missing_argument', 'ok done'],
    ledger: [],
    async play({ say }) {
      const find = (startDate: string, endDate: string) =>
        toolCalls(toolCall('find_orders', { startDate, endDate }));
      const model = scriptedModel([
        find('2025-05-31', '2025-05-01'),
        find('2025-05-01', '2025-05-31'),
        (conversation) => reply(`I found ${lastResults(conversation)[0]?.summary ?? 'some.'}`),
      ]);
      await say('What did I order in May?', { model });
      await say('And my orders until 2025-05-31?');
      await say('I mean my orders from 2025-05-01 to 2025-05-31.');
    },
  },
  {
    name: 'tickets',
    title: 'A ticket that is missing, an object for it, one that is blocked, one that breaks',
    refunds: [],
    told: [
      'failed missing_argument',
      'failed invalid_argument_shape',
      'failed blocked',
      'failed tool_failed',
      'ok done',
    ],
    ledger: [],
    async play({ say }) {
      await say('Draft a reply, please.');
      const model = scriptedModel([
        toolCalls(toolCall('draft_reply', '{"ticketId":{"value":"TCK-1042"}}')),
        toolCalls(toolCall('draft_reply', '{"ticketId":"TCK-1042"}')),
        reply('Billing evidence is missing for TCK-1042.'),
      ]);
      await say('Draft a reply to TCK-1042.', { model });
      await say('Draft a reply to TCK-6660.');
      await say('Draft a reply to TCK-2001.');
    },
  },
];
