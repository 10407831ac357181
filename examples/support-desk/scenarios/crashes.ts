import type { Scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';

const ask = 'Please refund 20.00 on order 4512 because it came late.';
const redelivered = 'The job is handed to another worker.';

/** Processes that die, and a ledger that goes away. */
export const crashes: readonly Scenario[] = [
  {
    name: 'dies-before-dispatch',
    title: 'The process dies before it has sent anything',
    refunds: [2000],
    told: ['ok done'],
    ledger: ['refund_order ok'],
    async play(stage) {
      const { billing, note, say, jump } = stage;
      billing.nextRead('hang_before_commit');
      await killWhileHeld(stage);
      note(redelivered);
      await jump(20_000);
      await say(ask);
    },
  },
  {
    name: 'dies-after-mark',
    title: 'The process dies after it has sent, and billing drops the request',
    refunds: [2000],
    told: ['unknown still_confirming', 'ok done'],
    ledger: ['refund_order ok'],
    async play(stage) {
      const { billing, note, say, jump, asked, ask: askBilling } = stage;
      billing.next('hang_before_commit');
      await killWhileHeld(stage);
      note(redelivered);
      await jump(20_000);
      await say(ask);
      await asked();
      await jump(180_000);
      await askBilling();
      await say(ask);
    },
  },
  {
    name: 'dies-after-dispatch',
    title: 'The process dies after billing has refunded',
    refunds: [2000],
    told: ['skipped already_in_progress', 'unknown still_confirming', 'already_done already_done'],
    ledger: ['refund_order ok'],
    async play(stage) {
      const { billing, note, say, jump, settled } = stage;
      billing.next('hang_after_commit');
      await killWhileHeld(stage);
      note(redelivered);
      await say(ask);
      await jump(20_000);
      await say(ask);
      await settled();
      await say(ask);
    },
  },
  {
    name: 'second-process',
    title: 'Another process sends another amount while the owner of the first is dead',
    refunds: [2000],
    told: ['failed lane_unsettled'],
    ledger: ['refund_order unknown'],
    async play(stage) {
      const { billing, note, say, jump, asked } = stage;
      billing.next('hang_before_commit');
      billing.searchable = false;
      await killWhileHeld(stage);
      await jump(20_000);
      await say('Please refund 19.99 on order 4512 because it came late.');
      await asked();
      note('Billing gets around to the first request, whose sender is long dead.');
      billing.release();
    },
  },
  {
    name: 'ledger-away',
    title: 'The ledger goes away right after billing has refunded',
    refunds: [2000],
    told: ['ok done', 'failed ledger_unavailable', 'already_done already_done'],
    ledger: ['refund_order ok'],
    async play({ billing, ledger, note, say, recorded }) {
      billing.next('hang_after_commit');
      const said = say(ask);
      await billing.held();
      note('The ledger goes away.');
      ledger?.goAway();
      billing.release();
      await said;
      await say(ask);
      note('The ledger is back.');
      ledger?.comeBack();
      await recorded();
      await say(ask);
    },
  },
  {
    name: 'slow-mark',
    title: 'Time runs out while the ledger is writing that a request will leave',
    refunds: [2000],
    told: ['failed timeout_before_send', 'ok done'],
    ledger: ['refund_order ok'],
    async play({ ledger, note, say, jump }) {
      const mark = ledger?.holdMark();
      const said = say(ask);
      await mark?.written;
      note('The mark is written, and its acknowledgement is on its way.');
      await jump(4_500);
      mark?.acknowledge();
      await said;
    },
  },
];

/** The customer's wish is taken up by another process, which is killed while billing holds its request. */
async function killWhileHeld({ billing, elsewhere, note }: Stage): Promise<void> {
  const other = elsewhere(ask);
  await other.until(billing.held());
  note('The process is killed.');
  await other.kill();
}
