/** What the lexicons know how to say. A tool's own verb that is none of these is an action by itself. */
export type KnownAction =
  | 'refund'
  | 'cancel'
  | 'return'
  | 'exchange'
  | 'change'
  | 'book'
  | 'order'
  | 'send'
  | 'ship'
  | 'transfer'
  | 'pay'
  | 'create'
  | 'add'
  | 'remove'
  | 'delete'
  | 'deploy'
  | 'revert'
  | 'restart'
  | 'stop'
  | 'close'
  | 'approve'
  | 'activate'
  | 'deactivate'
  | 'subscribe'
  | 'unsubscribe'
  | 'reset'
  | 'assign'
  | 'merge'
  | 'renew'
  | 'waive'
  | 'register';

/** A known action, or a tool's own: `tool:` and its verb. */
export type Action = KnownAction | `tool:${string}` | 'any';

/**
 * Which tools may lie behind a claim though their verb is another one: a cancellation brings a
 * refund, a change of flights a charge. Such a tool is asked only where none of the verb itself is.
 */
const consequences: Readonly<Partial<Record<KnownAction, readonly KnownAction[]>>> = {
  refund: ['cancel', 'return', 'exchange', 'change', 'pay', 'remove', 'delete', 'revert', 'waive'],
  pay: ['change', 'exchange', 'book', 'order', 'create', 'add', 'renew', 'subscribe', 'refund'],
  cancel: ['delete', 'remove', 'unsubscribe', 'close', 'stop', 'deactivate', 'revert'],
  return: ['exchange', 'refund'],
  exchange: ['change', 'return', 'ship'],
  change: [
    'exchange',
    'add',
    'remove',
    'book',
    'assign',
    'reset',
    'renew',
    'activate',
    'deactivate',
    'create',
  ],
  book: ['change', 'create', 'order', 'add', 'exchange', 'register', 'assign'],
  order: ['book', 'create', 'pay', 'add', 'exchange'],
  send: ['create', 'ship', 'transfer', 'add'],
  ship: ['send', 'order', 'exchange'],
  transfer: ['send', 'create', 'assign', 'change'],
  create: ['book', 'order', 'add', 'send', 'register', 'transfer', 'deploy'],
  add: ['change', 'create', 'book', 'send', 'exchange', 'order', 'register', 'assign', 'subscribe'],
  remove: ['delete', 'cancel', 'change', 'exchange', 'unsubscribe', 'waive'],
  delete: ['remove', 'cancel', 'close'],
  deploy: ['create', 'change', 'restart', 'merge'],
  revert: ['change', 'deploy', 'cancel', 'delete', 'refund'],
  restart: ['deploy', 'stop', 'reset', 'change'],
  stop: ['cancel', 'deactivate', 'close', 'restart', 'delete', 'revert', 'change'],
  close: ['cancel', 'change', 'delete', 'stop', 'deactivate'],
  approve: ['change', 'create'],
  activate: ['change', 'create', 'restart', 'subscribe', 'reset'],
  deactivate: ['change', 'cancel', 'delete', 'close', 'stop'],
  subscribe: ['create', 'add', 'register', 'activate', 'change'],
  unsubscribe: ['cancel', 'remove', 'delete', 'change', 'deactivate'],
  reset: ['change', 'send', 'restart'],
  assign: ['change', 'add', 'transfer', 'book'],
  merge: ['change', 'deploy', 'close'],
  renew: ['change', 'create', 'pay', 'subscribe', 'book'],
  waive: ['refund', 'change', 'remove'],
  register: ['create', 'add', 'subscribe', 'book', 'change'],
};

/** How well a tool's actions answer a claim's: 2 for the same, 1 for one that may lie behind it, 0 for neither. */
export function fits(claimed: Action, performed: ReadonlySet<Action>): 0 | 1 | 2 {
  if (claimed === 'any' || performed.has(claimed)) return 2;
  // What a tool of an unknown verb does is not known: it may be asked where no other one fits.
  if (performed.has('any')) return 1;
  const behind = consequences[claimed as KnownAction];
  return behind?.some((action) => performed.has(action)) ? 1 : 0;
}

/** Actions whose trace is that the thing exists: a record that was read bears them out. */
export const bringsIntoBeing: ReadonlySet<Action> = new Set<Action>([
  'book',
  'order',
  'create',
  'pay',
  'ship',
  'register',
  'subscribe',
  'add',
  'assign',
]);

/** Actions that move money: their amounts are held against the entry's own. */
export const movesMoney: ReadonlySet<Action> = new Set<Action>(['refund', 'pay', 'waive']);
