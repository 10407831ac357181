import type { Lexicon } from './lexicon.ts';

/** English. */
export const english: Lexicon = {
  language: 'en',
  frequent:
    'the, and, your, you, has, have, been, is, was, to, of, for, with, i, will, this, that, it, not, are, be, on, from, any, if, there, my, we, at, by, or, please, can, would, a, an, as, do, but, takes, one, no, all',
  roles: {
    self: 'i, we, our team, our system, the system, our billing team, our billing department, the billing team, our support team, the support team, the team, our agents',
    other:
      'you, he, she, they, who, someone, somebody, the airline, the carrier, the customer, the seller, the merchant, the store, the bank, the vendor, the supplier, the courier, the user, the shop, the hotel, the previous agent, another agent, a colleague, your bank, your wife, your husband, the passenger, the manufacturer, the warehouse, the provider, yourself, your colleague, your team, your manager',
    have: "has, have, had, 've, having",
    haveSelf: '',
    been: 'been, was, were, got, gotten',
    was: 'was, were',
    be: "is, are, 're, 's, am, 'm",
    beBare: 'be',
    ongoing: 'being',
    negation: "not, n't, no, never, neither, nor, none, nothing, nobody, hardly, no longer",
    nothing:
      'nothing, no changes, no change, no action, no actions, no modifications, none of the changes',
    failedTo:
      "could not, could n't, was not able to, were not able to, was n't able to, were n't able to, was unable to, were unable to, have not been able to, have n't been able to, has not been able to, has n't been able to, 've not been able to, have been unable to, has been unable to, 've been unable to, failed to, did not, did n't, did not manage to, did n't manage to, have failed to, has failed to, 've failed to, failed in, failed at, never got to, could not manage to",
    cannot:
      "cannot, can not, can n't, am unable to, am not able to, 'm unable to, 'm not able to, are unable to, are not able to, 're unable to, 're not able to, unable to, not able to, will n't, will not be able to, will n't be able to, is n't possible to, is not possible to, no longer",
    managedTo:
      'was able to, were able to, been able to, managed to, succeeded in, were successful in, was successful in, went ahead with, gone ahead with',
    failing:
      "failed, unsuccessful, has failed, have failed, was unsuccessful, did not go through, did n't go through, has not gone through, has n't gone through, have n't gone through, have not gone through, could not go through, could n't go through, fell through, did not succeed, did n't succeed, did not work, did n't work, did not complete, did n't complete, did not happen, did n't happen, never happened, never went through, was rejected, were rejected, was declined, were declined, was denied, were denied, has been denied, was refused, has been rejected, has been declined, was not successful, were not successful, was n't successful, were n't successful, is not successful, not successful, not gone through, has not succeeded, not succeeded, bounced, has not happened",
    unchanged:
      "remains unchanged, remain unchanged, is unchanged, are unchanged, has remained unchanged, left unchanged, stays unchanged, stays as it was, stays as it is, remains as it was, remains as it is, no changes were made, nothing has changed, nothing changed, nothing was done, nothing has been done, nothing happened, nothing has happened, was left as it was, did n't change anything, did not change anything, have n't changed anything, have not changed anything, did not do anything, did n't do anything",
    modal: "can, could, may, might, must, should, would, need, needs, ought, 'd, let, lets",
    infinitive: 'to',
    future: "will, 'll, shall, going to, about to, due to be, set to be",
    receive: 'receive, get, be receiving, be getting, see, have, expect',
    condition:
      'if, when, whenever, once, unless, until, till, whether, after, before, as soon as, in case, provided, providing, assuming, as long as, otherwise, where, wherever, should you, suppose, even if, only if, in the event, by the time, how, why, upon',
    reason: 'because, since, given that, now that, seeing that, considering that, considering',
    relative: 'which, who, whose, whom',
    that: 'that',
    and: 'and, then, so, plus, also, as well as, together with, along with, therefore, thus',
    but: 'but, however, though, although, while, except that, nevertheless, instead, whereas, even though',
    regret: 'unfortunately, sadly, regrettably',
    hedge:
      'seem, seems, seemed, appear, appears, appeared, probably, likely, perhaps, maybe, possibly, presumably, apparently, hopefully, supposedly, believe, think, guess, assume, suspect, expect, hope, almost, nearly, looks like, look like, looks as if, allegedly, sounds like, as far as i know, in theory, wonder, wondering',
    reported:
      "you said, you say, you mentioned, you mention, you told, you wrote, you stated, you claim, you claimed, you indicated, you reported, you noted, you believe, you think, you thought, you saw, you were told, you expected, you are saying, you 're saying, you 've said, you 've mentioned, you have mentioned, policy states, policy says, policy requires, policy allows, the message says, the message said, the email says, the email said, the email states, the e-mail says, the letter says, the website says, the site says, the customer says, the customer said, the customer claims, the user says, the user said, the seller says, the seller said, the airline says, the airline said, the merchant says, the bank says, he said, she said, they said, he says, she says, they say, according to, reportedly, as you put it, as you said, as you mentioned, your message says, your email says, your email said, your note says, terms state, terms say, rules say, rules state, faq says, for example, an example, imagine, suppose",
    uncertain:
      "cannot confirm, can not confirm, can n't confirm, could not confirm, could n't confirm, unable to confirm, not able to confirm, n't able to confirm, not yet able to confirm, cannot verify, can n't verify, could not verify, could n't verify, unable to verify, cannot say, can n't say, cannot tell, can n't tell, cannot promise, can n't promise, cannot guarantee, can n't guarantee, not sure, n't sure, not certain, n't certain, not clear, n't clear, unclear, do not know, do n't know, no confirmation, n't have confirmation, not have confirmation, n't have any confirmation, n't have proof, no proof, has not confirmed, has n't confirmed, have not confirmed, have n't confirmed, have yet to confirm, has yet to confirm, cannot see, can n't see, cannot find, can n't find, could not find, could n't find, do not see, do n't see, did not find, did n't find, no record, not aware, no sign, no indication, waiting to hear, to check, let me check, will check, 'll check, to verify, to ensure, make sure, to make sure, ensure, will let you know, 'll let you know, will notify you, 'll notify you, will tell you, 'll tell you, will update you, 'll update you, check whether, check if, check that, did not say, did n't say, not saying, would mean, please check, please verify, please ensure, to see, 'll confirm, will confirm, not to say",
    assert:
      "can confirm, can now confirm, happy to confirm, happy to say, happy to tell you, happy to inform you, happy to report, happy to let you know, pleased to confirm, pleased to say, pleased to tell you, pleased to inform you, pleased to report, pleased to let you know, glad to confirm, glad to say, glad to tell you, glad to inform you, glad to report, glad to let you know, delighted to confirm, delighted to tell you, delighted to inform you, want to let you know, wanted to let you know, wanted to confirm, want to confirm, would like to confirm, would like to inform you, 'd like to confirm, 'd like to inform you, like to let you know, just letting you know, this is to confirm, writing to confirm, writing to inform you, please note, please be advised, rest assured, good news, great news, let me confirm that, to let you know",
    ask: "would you like me to, would you like to proceed, would you like to continue, would you like to go ahead, would you like, do you want me to, do you want to proceed, do you want, should i, shall i, shall we, should we, may i, can i go ahead, can i proceed, please confirm, do you confirm, could you confirm, could you please confirm, can you confirm, can you please confirm, confirm if, confirm whether, confirm that you, to proceed, would you prefer, let me know if you 'd like me to proceed, let me know if you 'd like to proceed, let me know if you would like me to proceed, let me know if you would like to proceed, let me know how you 'd like to proceed, let me know how you would like to proceed, let me know if i should, let me know which, is this correct, is that correct, is everything correct, everything looks correct, if everything is correct, if this is correct, ready to proceed, yes / no, your confirmation, your approval, your go-ahead, before i proceed, before proceeding, once you confirm, once confirmed, if you confirm, if you agree, if you approve, are you sure, how would you like, could you provide, could you please provide, please provide, please let me know which, please let me know the, please let me know what, please specify, could you specify, could you please specify, please choose, please select",
    question:
      'would, could, can, may, shall, should, do, does, did, is, are, was, were, has, have, had, will, what, which, when, where, who, whom, whose, how, why, am, any, anything, or, if',
    policy:
      'policy, policies, usually, typically, generally, normally, as a rule, always, terms, guidelines, regulations, per our rules, in general, standard practice, by default, eligible',
    all: 'all, everything, each, every, everywhere',
    both: 'both, both of them, both of these, both of your',
    it: 'it, this, that',
    them: 'they, them, these, those',
    definite: 'your, the, this, these, those, that, my, our, it, they, both, each, you, i',
    past: 'ago, yesterday, last week, last month, last year, last time, previously, originally, in the past, back then, back in, at the time, initially, formerly, on record, historically, in january, in february, in march, in april, in june, in july, in august, in september, in october, in november, in december, earlier this year, earlier this month',
    already: 'already',
    by: 'by',
    adverb:
      'now, just, also, too, since then, indeed, well, ever, soon, thus, therefore, hereby, either, each, still, again, once, today, only, even, so, really, newly, not only, as requested, right away, in full, meanwhile, finally, further, as of now, at this time, yet, first, here, since, thereby, then',
    through:
      'went through, gone through, came through, succeeded, has succeeded, have succeeded, took effect, has taken effect, is in effect, worked, has worked, completed successfully, went well, is on its way, is on the way, are on their way, are on the way, on its way, on their way, is in place, are in place, is through',
    done: 'done, complete, completed, successful, all set, finished, finalized, finalised, confirmed, sorted, taken care of, settled, success, a success, good to go, all done',
    makes: 'confirmed, placed, secured, made, finalized, finalised, issued',
    yet: 'yet',
    proof: 'confirmed, finalized, finalised, settled, verified, proven',
    asked:
      'requested, submitted, initiated, started, begun, filed, lodged, placed, logged, raised, sent, forwarded, triggered, kicked off, put in, put through, queued, received, recorded, passed on',
    confirming:
      "being confirmed, still confirming, confirming, awaiting confirmation, waiting for confirmation, waiting for the confirmation, not confirmed, not yet confirmed, not been confirmed, n't been confirmed, n't confirmed, not yet been confirmed, cannot confirm, can n't confirm, unable to confirm, could not confirm, could n't confirm, yet to be confirmed, unconfirmed, pending confirmation, no confirmation, once it is confirmed, once it 's confirmed, as soon as it is confirmed, as soon as it 's confirmed, still pending, is pending, waiting to hear, being checked, being verified, still checking, not sure, no proof, not heard back, await confirmation, awaits confirmation, still waiting, n't heard back, not yet know, waiting on, not know yet",
    request:
      'call, calls, request, requests, action, actions, operation, operations, task, tasks, transaction, transactions, procedure, steps, step, process',
    document:
      'summary, list, overview, draft, plan, table, breakdown, example, snippet, outline, recap, explanation, response, answer, details below, options, option, text, suggestion, suggestions, recommendation, recommendations, checklist, quote, estimate, script, code',
    choice: 'choose, select, pick, either, options, option, choices, reason, reasons, alternatives',
    now: 'now',
    part: 'address, addresses, payment method, baggage, baggages, bag, bags, luggage, seat, seats, item, items, password, passenger, passengers, quantity, phone, cabin',
    yes: 'yes, ✅, ✔, ☑, true, ✓, 👍, 🎉',
    no: 'no, ❌, ✗, ✘, false, none, n/a, 🚫',
    link: 'of, for, from, on, in, your, the, to, order',
    idCue:
      'order, number, no, id, ids, reservation, booking, ticket, case, invoice, code, reference, ref, confirmation, pnr, flight, incident, subscription, shipment, orders, reservations, bookings, tickets, request, refund, deployment, version, build, issue, account, customer, item, items, payment, certificate, claim',
    money: 'usd, dollar, dollars, euro, euros, eur, gbp, pound, pounds, chf, bucks',
    cents: 'cent, cents, pence',
    span: 'day, days, hour, hours, week, weeks, minutes, month, months',
    state: 'status, state',
    over: 'over, under, above, below, exceeds, exceeding, exceed, exceeded, more than, less than, greater than, lower than, higher than, cheaper than, at least, at most, up to, within, no more than',
    limit:
      'threshold, limit, budget, maximum, minimum, cap, or more, or less, or above, or below, or higher, or lower, available credit, credit limit, card credit, spending limit',
    stock:
      'available, unavailable, in stock, out of stock, sold out, closest, alternative, cheapest, cheaper',
    like: 'match, matches, matching, same as, identical to',
    figure:
      'price, prices, total, totals, cost, costs, amount, balance, fare, fee, difference, subtotal',
    closing:
      "let me know, feel free, please let me know, do n't hesitate, do not hesitate, reach out, is there anything else, anything else, have a great, have a good, have a nice, have a wonderful, safe travels, take care, you 're welcome, you are welcome, thank you, thanks, enjoy, best regards, kind regards, hello, hi, sorry, apologies, i apologize, i understand",
  },
  actions: {
    refund: {
      done: 'refunded, reimbursed, credited, repaid, paid back, given back, compensated, sent back to your',
      base: 'refund, reimburse, credit, repay, refunding, reimbursing, crediting, pay back, compensate',
      nouns: 'refund, refunds, reimbursement, reimbursements, money back, credit, repayment',
      name: 'the refund',
    },
    cancel: {
      done: 'canceled, cancelled, called off, voided, terminated, annulled, revoked',
      base: 'cancel, canceling, cancelling, call off, void, terminate, revoke',
      nouns: 'cancellation, cancellations, cancelation, termination',
      name: 'the cancellation',
    },
    return: {
      done: 'returned',
      base: 'return, returning',
      nouns: 'return, returns',
      name: 'the return',
    },
    exchange: {
      done: 'exchanged, swapped, replaced, substituted, traded, swapped out',
      base: 'exchange, swap, replace, substitute, exchanging, swapping, replacing',
      nouns: 'exchange, exchanges, swap, replacement, replacements, substitution',
      name: 'the exchange',
    },
    change: {
      done: 'updated, modified, changed, edited, adjusted, altered, amended, corrected, switched, upgraded, downgraded, moved, rescheduled, revised, converted, postponed, extended, rerouted, redirected, renamed, reconfigured, pushed back, brought forward, rebooked, shifted, customized, transitioned, bumped, scaled, increased, reduced',
      base: 'update, modify, change, edit, adjust, alter, amend, correct, switch, upgrade, downgrade, move, reschedule, revise, convert, postpone, extend, reroute, redirect, rename, reconfigure, rebook, set, scale, patch, updating, modifying, changing, editing, adjusting, altering, switching, upgrading, downgrading, moving, rescheduling, make changes, make the changes, put',
      nouns:
        'change, changes, update, updates, modification, modifications, adjustment, adjustments, upgrade, upgrades, downgrade, downgrades, amendment, amendments, edit, edits, correction, corrections, switch, reschedule, rescheduling, rebooking',
      name: 'the change',
    },
    book: {
      done: 'booked, reserved, scheduled, secured, arranged',
      base: 'book, reserve, schedule, booking, reserving, scheduling, secure, arrange',
      nouns: 'booking, bookings, seat booking, table booking',
      name: 'the booking',
    },
    order: {
      done: 'ordered, purchased, bought, reordered',
      base: 'order, purchase, buy, ordering, purchasing, buying, reorder, checkout',
      nouns: 'purchase, purchases, checkout',
      name: 'the order',
    },
    send: {
      done: 'sent, emailed, e-mailed, mailed, forwarded, texted, notified, messaged, resent, dispatched, invited, informed, replied, posted, shared',
      whole: 'went out, has gone out, have gone out, is out',
      base: 'send, email, e-mail, mail, forward, text, notify, message, resend, invite, sending, emailing, forwarding, notifying, reply, post, share',
      nouns:
        'email, emails, e-mail, message, notification, certificate, certificates, voucher, vouchers, coupon, invitation, invite, letter, sms, gift card, newsletter, reminder',
      name: 'the message',
    },
    ship: {
      done: 'shipped, shipped out, delivered',
      base: 'ship, shipping',
      nouns: 'shipment, shipments, delivery',
      name: 'the shipment',
    },
    transfer: {
      done: 'transferred, escalated, handed over, handed off, connected, routed',
      base: 'transfer, escalate, connect, hand over, transferring, escalating, connecting, route, wire',
      nouns: 'transfer, transfers, escalation, handover',
      name: 'the transfer',
    },
    pay: {
      done: 'charged, paid, debited, billed, deducted, collected, invoiced, withdrawn',
      base: 'charge, pay, debit, bill, deduct, collect, invoice, charging, paying, billing, withdraw',
      nouns: 'payment, payments, charge, charges, deduction, debit',
      name: 'the payment',
    },
    create: {
      done: 'created, opened, filed, raised, logged, generated, set up, lodged, provisioned, built, made up, started up',
      base: 'create, open, file, raise, log, generate, set up, creating, opening, filing, provision',
      nouns: 'ticket, tickets, case, complaint, claim, account creation',
      name: 'the request',
    },
    add: {
      done: 'added, attached, appended, inserted, topped up, included',
      base: 'add, attach, append, adding, attaching, top up, include',
      nouns: 'addition, top-up',
      name: 'the addition',
    },
    remove: {
      done: 'removed, taken off, detached, taken out, unassigned, dropped',
      base: 'remove, detach, unassign, removing, take off, drop',
      nouns: 'removal, removals',
      name: 'the removal',
    },
    delete: {
      done: 'deleted, erased, purged, wiped',
      base: 'delete, erase, purge, wipe, deleting, erasing, destroy',
      nouns: 'deletion, deletions, erasure',
      name: 'the deletion',
    },
    deploy: {
      done: 'deployed, released, rolled out, published, launched, promoted, redeployed, shipped to production',
      whole:
        'is live, are live, is now live, are now live, went live, has gone live, have gone live, is up and running, is in production, is now in production',
      base: 'deploy, release, roll out, publish, launch, promote, deploying, releasing, rollout, redeploy',
      nouns: 'deployment, deployments, rollout, release, launch, deploy',
      name: 'the deployment',
    },
    revert: {
      done: 'rolled back, reverted, undone, restored, reversed, rolled',
      base: 'roll back, revert, undo, restore, reverse, rollback, reverting, rolling back',
      nouns: 'rollback, revert, reversal, restoration, restore',
      name: 'the rollback',
    },
    restart: {
      done: 'restarted, rebooted, relaunched',
      base: 'restart, reboot, restarting, rebooting',
      nouns: 'restart, reboot',
      name: 'the restart',
    },
    stop: {
      done: 'stopped, shut down, paused, halted, killed',
      base: 'stop, shut down, pause, halt, stopping, pausing, shutdown, kill',
      nouns: 'shutdown, stop',
      name: 'the stop',
    },
    close: {
      done: 'closed, resolved, archived',
      base: 'close, resolve, archive, closing, resolving, archiving',
      nouns: 'closure, resolution',
      name: 'the closure',
    },
    approve: {
      done: 'approved, authorized, authorised, accepted',
      base: 'approve, authorize, authorise, accept, approving',
      nouns: 'approval',
      name: 'the approval',
    },
    activate: {
      done: 'activated, enabled, turned on, switched on, unlocked, reactivated, unblocked, reinstated, re-enabled, unfrozen',
      base: 'activate, enable, turn on, unlock, reactivate, unblock, reinstate, activating, enabling, unlocking, unfreeze',
      nouns: 'activation, reactivation, reinstatement',
      name: 'the activation',
    },
    deactivate: {
      done: 'deactivated, disabled, turned off, switched off, locked, blocked, suspended, frozen',
      base: 'deactivate, disable, turn off, lock, block, suspend, freeze, deactivating, disabling, blocking',
      nouns: 'deactivation, suspension, block',
      name: 'the deactivation',
    },
    subscribe: {
      done: 'subscribed',
      base: 'subscribe, subscribing',
      nouns: 'sign-up, signup',
      name: 'the subscription',
    },
    unsubscribe: {
      done: 'unsubscribed, opted out',
      base: 'unsubscribe, unsubscribing, opt out',
      nouns: 'opt-out',
      name: 'the unsubscription',
    },
    reset: {
      done: 'reset',
      base: 'resetting, reset',
      nouns: 'reset',
      name: 'the reset',
    },
    assign: {
      done: 'assigned, reassigned, allocated',
      base: 'assign, reassign, allocate, assigning, reassigning',
      nouns: 'assignment, reassignment, seat assignment',
      name: 'the assignment',
    },
    merge: { done: 'merged', base: 'merge, merging', nouns: 'merge', name: 'the merge' },
    renew: {
      done: 'renewed',
      base: 'renew, renewing',
      nouns: 'renewal, renewals',
      name: 'the renewal',
    },
    waive: { done: 'waived', base: 'waive, waiving', nouns: 'waiver', name: 'the waiver' },
    register: {
      done: 'registered, enrolled, signed up, checked in',
      base: 'register, enroll, enrol, sign up, registering, check in, checking in, checkin',
      nouns: 'registration, enrollment, enrolment, check-in',
      name: 'the registration',
    },
  },
  light:
    'processed, completed, made, submitted, initiated, issued, placed, finalized, finalised, applied, confirmed, executed, performed, carried out, handled, requested, recorded, put through, lodged, filed, implemented, arranged, taken care of, dealt with, granted, done, actioned, effected, fulfilled, sorted, sorted out, put in, set up, triggered, approved, finished, kicked off, started, pushed through, saved, successfully completed, reflected, concluded, released, settled, accomplished, wrapped up, gotten, created',
  lightBase:
    'process, complete, make, submit, initiate, issue, place, finalize, finalise, apply, execute, perform, carry out, handle, request, implement, arrange, grant, do, finish, processing, completing, making, submitting, initiating, issuing, placing, finalizing, applying, put through, run, call, manage, trigger, put, effect, start, api',
  things: {
    book: 'booking, bookings, reservation, reservations, appointment, appointments, flight, flights, seat, seats, room, table, trip, itinerary, hotel, meeting, upgrade request',
    order: 'order, orders',
    create: 'account, subscription, profile, policy',
    change: 'address, plan, settings, baggage, bags, cabin, payment method, email address, details',
    send: 'confirmation, receipt',
  },
  counts: ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  months: [
    'january/jan',
    'february/feb',
    'march/mar',
    'april/apr',
    'may',
    'june/jun',
    'july/jul',
    'august/aug',
    'september/sep/sept',
    'october/oct',
    'november/nov',
    'december/dec',
  ],
  grammar: { helper: 'adjacent', participleIsPast: true, adverbEnding: 'ly' },
  writing: {
    unknown: '{action}{details} is still being confirmed; there is no need to request it again.',
    failed: 'Unfortunately, {action}{details} did not go through, and nothing was changed.',
    skipped: '{action}{details} is still in progress and is not confirmed yet.',
    never: '{action}{details} has not been made.',
    ok: '{action}{details} has been completed.',
    action: 'the action',
    details: ' ({})',
    opening: 'Here is where things stand:',
    decimal: '.',
    currencyFirst: true,
  },
};
