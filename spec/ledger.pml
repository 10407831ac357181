/*
 * The transitions of src/ledger, under the names that they have there, each one atomic step.
 *
 * Two things of the code are not here, because nothing may rest on them:
 * - Leases. Whether an owner is taken to live comes out either way each time that it is looked at. So
 *   every pause, skewed clock, late renewal and crash is covered.
 * - The clock, but for one order of events: once patience is over, no send of the entry starts any
 *   more (sendBy has passed) and none is on the wire (requestMaxMs and the margin have passed too).
 *
 * `k` is an entry, `a` an attempt. `my` (its token), `answer`, `isFree` and `knew` are the caller's.
 * A flag takes one guard out, or puts in its place what one might have done instead.
 */

#define ATTEMPTS 3
#define GENERATIONS 5
#define NOBODY KEYS

#define KEY_OF(a) ((a) % KEYS)
#define AT(k, g) ((k) * GENERATIONS + (g))

mtype = { none, claimed, dispatched, ok, failed, unknown };        /* where an entry stands */
mtype = { unsent, rejected, verdict };                             /* why it is failed */
mtype = { done, refused, already_done, in_progress, still_confirming, lane_closed };

mtype state[KEYS] = none;
byte token[KEYS];
byte generation[KEYS];
byte unproven[KEYS];          /* sends, of any generation, that are proven neither way */
bool marked[KEYS];            /* the latest attempt's own send is one of them */
mtype restsOn[KEYS] = failed;
mtype failedBy[KEYS] = unsent;
bool told[KEYS];              /* the model has heard the settled outcome */
byte holder = NOBODY;         /* the one row that names whose the lane is */

/* What the clock and the wire know of each attempt. */
byte sentIn[ATTEMPTS];        /* the generation that it is made in */
bool mayStart[ATTEMPTS];      /* marked, before sendBy, and its process means to send */
bool onWire[ATTEMPTS];        /* sent, and may still take effect */
bool isStale[GENERATIONS];    /* too long ago for the remote system to know the key of it still */

byte wishes[KEYS] = 1;        /* how many effects the user may have wanted */
bool askedInPatience[KEYS];   /* the latest asking came after patience, and nothing was marked since */

/* ------------------------------------------------------------ what a transition looks at */

#define isSent(k) (state[k] == dispatched || state[k] == unknown)
#define isUnsettled(k) (isSent(k) || (state[k] == claimed && restsOn[k] == unknown))

#ifdef NO_RENEW
#define holdsOff(a, k) false          /* a send may ignore its signal and outlive requestMaxMs */
#else
#define holdsOff(a, k) (KEY_OF(a) == k && onWire[a])
#endif

#ifdef EAGER_VERDICT
#define patient(k) true
inline patienceOver(k) { skip }
#else
#define patient(k) (!holdsOff(0, k) && !holdsOff(1, k) && !holdsOff(2, k))
inline patienceOver(k) {              /* sendBy has passed */
  mayStart[0] = mayStart[0] && KEY_OF(0) != k;
  mayStart[1] = mayStart[1] && KEY_OF(1) != k;
  mayStart[2] = mayStart[2] && KEY_OF(2) != k
}
#endif

#define other (holder % KEYS)

inline laneFor(k) {
  if
  :: holder == NOBODY || holder == k || state[other] == none || state[other] == failed -> isFree = true
  :: holder != NOBODY && holder != k && state[other] == ok ->      /* proven, and another send of it is open */
     if
     :: patient(other) -> patienceOver(other); isFree = true
     :: true -> isFree = false
     fi
  :: else ->
     if
#ifdef NO_LANE_BLOCK
     :: true -> isFree = true                                    /* its owner seems dead */
#else
     :: state[other] == claimed && restsOn[other] == failed -> isFree = true    /* a lost claim */
#endif
     :: true -> isFree = false
     fi
  fi
}

/* ------------------------------------------------------------ claim */

inline take(k, a) {
  laneFor(k);
  if
  :: !isFree -> answer = lane_closed
  :: else ->
     generation[k] = generation[k] + raise; sentIn[a] = generation[k];
     token[k]++; my = token[k];
     state[k] = claimed; restsOn[k] = rests; marked[k] = false; told[k] = false; holder = k;
     wishes[k] = wishes[k] + knew
  fi
}

/* An unknown entry answers for itself; an idempotent tool may try again, in the same generation. */
inline askUnknown(k) {
  if
#ifdef RERUN
#ifdef IMPATIENT_RERUN
  :: holder == k -> rests = unknown
#else
#ifdef RERUN_RESTS_ON_FAILED
  :: holder == k && patient(k) -> patienceOver(k)
#else
  :: holder == k && patient(k) -> patienceOver(k); rests = unknown
#endif
#endif
#endif
  :: true -> state[k] = unknown; answer = still_confirming
  fi
}

/* A done one is replayed; it is done once more by an idempotent tool, or past its replay. */
inline askDone(k) {
  if
#ifdef RERUN
  :: holder != k -> raise = 1
  :: holder == k && patient(k) -> patienceOver(k); raise = 1
  :: holder == k -> answer = already_done                        /* a repetition is still open */
#else
  :: told[k] -> raise = 1; knew = true
#ifdef NO_TELLING
  :: !told[k] -> raise = 1
#endif
  :: true -> told[k] = true; answer = already_done
#endif
  fi
}

inline claim(k, a) {
  answer = done; rests = failed; raise = 0; knew = false;
  if
  :: state[k] == none -> raise = 1
  :: state[k] == failed && failedBy[k] == rejected -> raise = 1
  :: state[k] == failed && failedBy[k] != rejected
  :: state[k] == claimed || state[k] == dispatched -> answer = in_progress      /* a live lease */
  :: state[k] == claimed -> rests = restsOn[k]                                  /* an expired one */
  :: isSent(k) -> askUnknown(k)
  :: state[k] == ok -> askDone(k)
  fi;
  if :: answer == done -> take(k, a) :: else fi;
  rests = 0; raise = 0; knew = false; isFree = false
}

/* ------------------------------------------------------------ one attempt's own steps */

inline release(k) { if :: holder == k -> holder = NOBODY :: else fi }

/* It ends without having sent: back to where the entry rests. */
inline rest(k) {
  if :: marked[k] -> unproven[k]--; marked[k] = false :: else fi;
  state[k] = restsOn[k];
  if
  :: state[k] == failed -> failedBy[k] = (unproven[k] > 0 -> verdict : unsent); release(k)
  :: else
  fi
}

inline fail(k) {
  if
  :: token[k] == my && state[k] == claimed -> rest(k); answer = done
  :: else -> answer = refused
  fi
}

inline dispatch(k, a) {
  state[k] = dispatched; marked[k] = true; unproven[k]++;
  mayStart[a] = true; askedInPatience[k] = false; answer = done
}

inline mark(k, a) {
  if
#ifdef NO_FENCE
  :: true -> dispatch(k, a)
#else
  :: token[k] != my || state[k] != claimed -> answer = refused
#ifdef NO_HOLDER
  :: token[k] == my && state[k] == claimed -> dispatch(k, a)
#else
  :: token[k] == my && state[k] == claimed && holder == k -> dispatch(k, a)
  :: token[k] == my && state[k] == claimed && holder != k -> rest(k); answer = refused
#endif
#endif
  fi
}

inline withdraw(k) {
  if
  :: token[k] != my || state[k] == ok -> answer = refused
  :: else ->
     answer = done;
     if
     :: state[k] != claimed && !marked[k] -> skip
     :: state[k] == failed && marked[k] -> unproven[k]--; marked[k] = false
     :: else -> rest(k)
     fi
  fi
}

inline giveUp(k) { if :: token[k] == my && state[k] == dispatched -> state[k] = unknown :: else fi }

/* From unknown, in the same generation, and so with the same wire key: a mark of its own. */
inline askAgain(k, a) {
  laneFor(k);
  if
  :: token[k] == my && isSent(k) && isFree && !isStale[generation[k]] ->
     token[k]++; my = token[k]; sentIn[a] = generation[k]; restsOn[k] = unknown; holder = k;
#ifdef UNMARKED_ASK
     mayStart[a] = true; answer = done
#else
     dispatch(k, a)
#endif
  :: else -> answer = refused
  fi
}

/* ------------------------------------------------------------ complete */

/* Proof of one send says nothing of another that is open: until that one is answered, or can no longer
   act, the lane stays closed. */
#ifdef NO_KEPT_LANE
#define keepsLane(k, isLatest) false
#else
#define keepsLane(k, isLatest) (marked[k] && unproven[k] > 1 && !(isLatest))
#endif

inline happenedNow(k, isLatest) {
  if :: keepsLane(k, isLatest) -> skip :: else -> release(k) fi;
  state[k] = ok; unproven[k] = 0; marked[k] = false
}

inline completeAnswered(k, a, isTold) {
  if
  :: generation[k] != sentIn[a] -> skip
#ifdef LATEST_PROOF_ONLY
  :: token[k] != my -> skip
#endif
#ifdef NO_LATE_PROOF
  :: state[k] != dispatched -> skip
#endif
#ifdef VERDICT_STANDS
  :: state[k] == failed -> skip
#endif
  :: else ->
     if
     :: state[k] != ok -> happenedNow(k, token[k] == my)
     :: state[k] == ok && token[k] == my -> release(k)
     :: else
     fi;
     told[k] = told[k] || isTold
  fi
}

inline completeRejected(k, a) {
  if
  :: generation[k] != sentIn[a] || token[k] != my || state[k] == ok || state[k] == claimed -> skip
  :: !marked[k] -> skip
  :: else ->
     unproven[k]--; marked[k] = false;
     if
#ifdef REJECTION_PROVES
     :: true -> state[k] = failed; failedBy[k] = rejected; release(k)
#else
     :: unproven[k] == 0 -> state[k] = failed; failedBy[k] = rejected; release(k)
     :: unproven[k] > 0 && state[k] != failed -> state[k] = unknown
     :: unproven[k] > 0 && state[k] == failed -> skip
#endif
     fi
  fi
}

/* ------------------------------------------------------------ ask and settle */

inline ask(k) {
  state[k] = unknown;
  if
  :: patient(k) -> patienceOver(k); askedInPatience[k] = true
  :: true -> askedInPatience[k] = false
  fi
}

/* `g` is the generation that the verdict is about. */
#ifdef VERDICT_OF_ANY_GENERATION
#define isAbout(k, g) true
#else
#define isAbout(k, g) (generation[k] == g)
#endif

inline settleHappened(k, g) {
  if
  :: unproven[k] > 0 && isAbout(k, g) -> happenedNow(k, false); told[k] = false
  :: else
  fi
}

#ifdef VERDICT_OF_BEFORE
#define mayDeny(k) patient(k)
#else
#define mayDeny(k) (patient(k) && askedInPatience[k])
#endif

inline settleDidNotHappen(k, g) {
  if
  :: isUnsettled(k) && isAbout(k, g) && mayDeny(k) ->
     patienceOver(k); state[k] = failed; failedBy[k] = verdict; told[k] = false; release(k)
  :: else
  fi
}
