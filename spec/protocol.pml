/*
 * Attempts of the runtime, a remote system, an asker and a webhook, around the ledger of ledger.pml.
 *
 *   KEYS=1, KEYS=2    three attempts at one intent; or two at one and one at another, in one lane
 *   KEYED             the remote system honours keys: sends are repeated, and it is asked again
 *   RERUN             the tool is idempotent
 *   WRONG_VERDICT     an operator denies what happened
 */
#ifndef KEYS
#define KEYS 1
#endif

#include "ledger.pml"

bool happened[KEYS * GENERATIONS];          /* what is true, by intent and generation */
mtype memory[KEYS * GENERATIONS] = none;    /* what the remote system answers to a key that it knows */
byte effects[KEYS];
bool acted[ATTEMPTS];                       /* this attempt's own request had an effect */
bool toldFailed[ATTEMPTS];
bool proven[KEYS * GENERATIONS];            /* an answer came in */

/* ------------------------------------------------------------ the promises */

/* Each is asserted where it could be broken, by a name, since that is what is printed then. */
hidden byte one_effect;         /* no more effects than wishes */
hidden byte failed_is_true;     /* what is failed, or told so, has not happened and never will */
hidden byte ok_is_true;         /* what is ok has happened */
hidden byte record_agrees;      /* what is told failed is not open in the ledger */
hidden byte proof_is_kept;      /* once it is proven, nothing makes it anything but ok */
hidden byte proof_stops;        /* nor is anything marked any more */
hidden byte lane_holds;         /* nothing is sent while another write of its lane may still take effect */

#define inAir(a) (mayStart[a] || onWire[a])
#define inAirFor(a, k, g) (KEY_OF(a) == k && sentIn[a] == g && inAir(a))
#define isOpen(k, g) (inAirFor(0, k, g) || inAirFor(1, k, g) || inAirFor(2, k, g))

/* After each transition: what the ledger says is true. */
inline holds(k) {
  printf("  entry %d: %e, generation %d, %d unproven\n", k, state[k], generation[k], unproven[k]);
#ifdef WRONG_VERDICT
  proof_is_kept = !proven[AT(k, generation[k])] || state[k] == ok;
  assert(proof_is_kept)
#else
  failed_is_true = state[k] != failed ||
                   (!happened[AT(k, generation[k])] && !isOpen(k, generation[k]));
  assert(failed_is_true);
  ok_is_true = state[k] != ok || happened[AT(k, generation[k])];
  assert(ok_is_true)
#endif
}

inline tellFailed(k, a) {
  printf("attempt %d is told: failed\n", a);
  failed_is_true = !acted[a] && !inAir(a);
  assert(failed_is_true);
  record_agrees = token[k] != my || !isSent(k);
  assert(record_agrees);
  toldFailed[a] = true
}

/* An attempt that sent nothing is told what its entry says. */
inline tellUnsent(k, a) {
  mayStart[a] = false;
  if :: state[k] == failed -> tellFailed(k, a) :: else fi;
  holds(k)
}

/* ------------------------------------------------------------ the remote system */

#ifdef KEY_OF_ATTEMPT
#define wire AT(k, my)
#else
#ifdef NO_GENERATION_ON_WIRE
#define wire AT(k, 1)
#else
#define wire AT(k, sentIn[a])
#endif
#endif

/* What may take effect after this, and is of another intent. What the remote system knows has none. */
#ifdef KEYED
#define hasNoEffect(a) (memory[AT(KEY_OF(a), sentIn[a])] != none)
#else
#define hasNoEffect(a) false
#endif
#define crosses(b) (KEY_OF(b) != k && inAir(b) && !hasNoEffect(b))

inline send(k, a) {
  onWire[a] = true; printf("attempt %d sends\n", a);
  lane_holds = hasNoEffect(a) || (!crosses(0) && !crosses(1) && !crosses(2) &&
                                  (KEYS == 1 || !isSent((k + 1) % KEYS)));
  assert(lane_holds)
}

inline commit(k, a) {
  effects[k]++; acted[a] = true; happened[AT(k, sentIn[a])] = true; memory[wire] = ok;
  failed_is_true = !toldFailed[a];
  assert(failed_is_true);
#if !defined(RERUN) && !defined(WRONG_VERDICT)
  one_effect = effects[k] <= wishes[k];
  assert(one_effect)
#endif
}

/* The remote system decides, or what stands in front of it. */
inline decide(k, a) {
  if
#ifdef KEYED
  :: memory[wire] == ok -> evidence = ok
  :: memory[wire] == failed -> evidence = rejected
  :: memory[wire] == none -> commit(k, a); evidence = ok
  :: memory[wire] == none -> memory[wire] = failed; evidence = rejected
  :: evidence = rejected                         /* by a gateway, which knows no keys */
#else
  :: commit(k, a); evidence = ok
  :: evidence = rejected
#endif
  :: evidence = none                             /* it never got there */
  fi;
  onWire[a] = false; printf("remote system, to attempt %d: %e\n", a, evidence)
}

#ifdef KEYED
/* It forgets a key, but not before the last moment at which one is relied on. */
#ifdef STALE_KEY
#define mayForget(g) (memory[AT(0, g)] != none)
#else
#define mayForget(g) (memory[AT(0, g)] != none && !isOpen(0, g))
#endif

active proctype Memory() {
end:
  do
  :: atomic { mayForget(1) -> memory[AT(0, 1)] = none; isStale[1] = true }
  :: atomic { mayForget(2) -> memory[AT(0, 2)] = none; isStale[2] = true }
  od
}
#endif

/* ------------------------------------------------------------ one attempt of the runtime */

#ifdef VOLATILE_MARK
inline crash(k, a) {            /* what the store had acknowledged is lost */
  mayStart[a] = false;
  if
  :: token[k] == my && state[k] == dispatched -> state[k] = claimed; marked[k] = false; unproven[k]--
  :: else
  fi
}
#else
inline crash(k, a) { mayStart[a] = false }
#endif

inline close(k, a) { giveUp(k); printf("attempt %d gets no answer\n", a); mayStart[a] = false; holds(k) }

proctype Attempt(byte a; bool again) {
  byte k = KEY_OF(a); byte my; mtype answer; mtype evidence; bool isSecond;
  bool isFree; bool knew; mtype rests; byte raise;      /* used within one step only */

  if
  :: again ->
end:
     atomic { isSent(k) -> my = token[k]; sentIn[a] = generation[k] }
  :: else ->
     atomic {
       claim(k, a);
       printf("attempt %d claims: %e\n", a, answer);
       holds(k);
       if :: answer != done -> goto over :: else fi
     };
     if
     :: goto over                                                     /* crash */
     :: atomic {                                                      /* its time, its user, its tool */
          true ->
          fail(k); printf("attempt %d fails before its mark: %e\n", a, answer);
          tellUnsent(k, a); goto over
        }
     :: skip
     fi
  fi;

#ifdef SEND_BEFORE_MARK
  atomic { send(k, a) };
  atomic { decide(k, a) };
#endif
  if
  :: atomic { !again -> withdraw(k); tellUnsent(k, a) };              /* a mark that took too long */
     atomic { mark(k, a); mayStart[a] = false; holds(k); goto over }  /* comes after its withdrawal */
  :: atomic {
       true ->
       if :: again -> askAgain(k, a) :: else -> mark(k, a) fi;
       printf("attempt %d marks: %e\n", a, answer);
       proof_stops = answer == refused || !proven[AT(k, sentIn[a])];
       assert(proof_stops);
       holds(k)
     }
  fi;
  if
  :: answer == refused -> atomic { if :: again :: else -> tellUnsent(k, a) fi; goto over }
  :: answer == done -> atomic { crash(k, a); printf("attempt %d crashes\n", a); goto over }
#ifdef NO_GATE
  :: answer == done -> atomic { tellFailed(k, a) }                    /* by the timer, and it sends */
#endif
#ifdef NO_WITHDRAW
  :: answer == done -> atomic { mayStart[a] = false; tellFailed(k, a); goto over }
#else
  :: answer == done ->                                                /* the gate was closed */
     atomic { withdraw(k); printf("attempt %d withdraws\n", a); tellUnsent(k, a); goto over }
#endif
  :: answer == done
  fi;

sending:
  atomic {
    if
#ifdef NO_SENDBY
    :: true -> send(k, a)
#else
    :: mayStart[a] -> send(k, a)
    :: !mayStart[a] && isSecond -> close(k, a); goto over
    :: !mayStart[a] && !isSecond ->
       withdraw(k);
       tellUnsent(k, a); goto over
#endif
    fi;
#ifdef KEYED
    mayStart[a] = mayStart[a] && !isSecond
#else
    mayStart[a] = false
#endif
  };
#ifdef CANCEL_AFTER_SEND
  atomic { state[k] = failed; tellFailed(k, a) };
#endif
  atomic { decide(k, a) };
  if
  :: atomic { crash(k, a); printf("attempt %d crashes\n", a); goto over }
  :: atomic {                                                         /* no answer came home */
       true ->
       if
       :: mayStart[a] && !isSecond -> isSecond = true; goto sending
       :: close(k, a); goto over
       fi }
  :: atomic {
       evidence == ok ->
       mayStart[a] = false; proven[AT(k, sentIn[a])] = true;
       completeAnswered(k, a, !again); printf("attempt %d completes: it happened\n", a); holds(k) }
  :: atomic {
       evidence == rejected ->
#ifndef RETRY_PROVES
       if :: isSecond -> close(k, a); goto over :: else fi;
#endif
       mayStart[a] = false;
       completeRejected(k, a); printf("attempt %d completes: it was refused\n", a); holds(k);
       if :: state[k] == failed -> tellFailed(k, a) :: else fi }
  fi;
over:
  atomic {                       /* what is over is forgotten: fewer states */
    my = 0; answer = 0; evidence = 0; isFree = false; isSecond = false;
    sentIn[a] = 0
  }
}

/* ------------------------------------------------------------ what settles from outside */

inline deliver(k, g) {
  settleHappened(k, g);
  printf("webhook: generation %d happened\n", g);
  holds(k)
}

proctype Asker(byte k) {
  bool found; byte g;
end:
  do
  :: atomic {
       isUnsettled(k) ->
       ask(k); g = generation[k]; found = happened[AT(k, g)];
       printf("asker: has intent %d happened in generation %d? %d\n", k, g, found);
       holds(k)
     };
     atomic {
       if :: found -> settleHappened(k, g) :: else -> settleDidNotHappen(k, g) fi;
       printf("asker: settles, if it may\n");
       holds(k); found = false; g = 0
     }
#ifdef WRONG_VERDICT
  :: atomic {
       isSent(k) && patient(k) ->
       askedInPatience[k] = true; settleDidNotHappen(k, generation[k]);
       printf("operator: it did not happen\n")
     }
#endif
  od
}

/* Says what is true of a generation, sooner or later, and again. */
proctype Webhook(byte k) {
end:
  do
  :: atomic { happened[AT(k, 1)] && unproven[k] > 0 -> deliver(k, 1) }
  :: atomic { happened[AT(k, 2)] && unproven[k] > 0 -> deliver(k, 2) }
  od
}

init {
  atomic {
    run Attempt(0, false);
    run Attempt(1, false);
#ifdef KEYED
    run Attempt(2, true);
#else
    run Attempt(2, false);
#endif
#if KEYS == 2
    run Asker(1);
#endif
#ifndef KEYED
    run Webhook(0);
#endif
    run Asker(0)
  }
}
