import type { Lexicon } from './lexicon.ts';
import { sharedRoles } from './shared-roles.ts';

/** Italian. */
export const italian: Lexicon = {
  language: 'it',
  frequent:
    "il, la, lo, i, gli, le, di, del, della, e, è, suo, sua, per, con, in, che, non, un, una, ho, abbiamo, stato, stata, l', al, sul, si, da, nel, se, ha, sono, dell', ancora",
  roles: {
    ...sharedRoles,
    self: 'io, noi, il nostro team, il nostro sistema, il sistema, il team',
    other:
      "lei, tu, egli, loro, qualcuno, la compagnia aerea, il cliente, la cliente, il venditore, il negozio, la banca, l' hotel, il fornitore, hai, avete",
    have: 'ha, hanno, aveva',
    haveSelf: 'ho, abbiamo',
    been: 'stato, stata, stati, state, venne, vennero',
    was: 'venne, vennero',
    be: 'è, sono, risulta, risultano',
    beBare: 'essere, venire',
    ongoing: 'in corso, in fase, viene, vengono',
    negation: 'non, nessun, nessuna, nessuno, niente, nulla, mai, né',
    nothing: 'niente, nulla, nessuna modifica',
    failedTo:
      'non sono riuscito ad, non sono riuscita ad, non siamo riusciti ad, non ho potuto, non abbiamo potuto, non sono riuscito a, non sono riuscita a, non siamo riusciti a, non è stato possibile, non ha potuto, non è riuscito a',
    cannot: 'non posso, non possiamo, non può, non possono, non è possibile, non si può',
    managedTo: 'ho potuto, abbiamo potuto, sono riuscito a, sono riuscita a, siamo riusciti a',
    failing:
      'fallito, fallita, è fallito, è fallita, non riuscito, non riuscita, rifiutato, rifiutata, respinto, respinta, non è andato a buon fine, non è andata a buon fine, non ha avuto esito positivo, non ha funzionato',
    unchanged:
      'resta invariato, resta invariata, rimane invariato, rimane invariata, invariato, invariata, non è cambiato nulla, nulla è cambiato, nulla è stato modificato, non è stato fatto nulla',
    modal:
      'posso, può, possono, possiamo, potrebbe, potrebbero, potrei, devo, deve, devono, dovrebbe, dovrebbero, voglio, vuole, desidera, vorrei, vorrebbe, bisogna, sarebbe, avrebbe',
    infinitive: 'per',
    future: 'sarà, saranno, verrà, verranno, riceverà, riceverai, vedrà',
    receive: 'riceverà, riceverai, ricevere, vedrà',
    condition:
      'se, quando, una volta, appena, a meno, prima, dopo, finché, fino, come, perché, qualora, nel caso, purché',
    reason: 'poiché, siccome, dato, giacché, visto',
    relative: 'quale, quali, cui',
    that: 'che',
    and: 'e, ed, poi, inoltre, anche, quindi',
    but: 'ma, però, tuttavia, sebbene, mentre',
    regret: 'purtroppo',
    hedge:
      'sembra, sembrano, probabilmente, forse, possibilmente, apparentemente, credo, crediamo, penso, suppongo, spero, speriamo, pare',
    reported:
      'lei ha detto, ha detto, ha scritto, ha menzionato, ha indicato, hai detto, secondo, conformemente, come ha detto, per esempio, ad esempio',
    uncertain:
      'non posso confermare, non possiamo confermare, non posso ancora confermare, non sono sicuro, non sono sicura, non so, non sappiamo, verifico, verificare, controllo, non posso dire, le farò sapere, ti farò sapere, la informerò, nessuna conferma, assicurarmi',
    ask: "desidera che, vuole che, vuoi che, le piacerebbe, confermi, conferma che, per favore confermi, può confermare, potrebbe confermare, posso procedere, devo procedere, procedo, è corretto, è d' accordo, potrebbe fornire, mi fornisca, indichi",
    question:
      'desidera, vuole, può, potrebbe, posso, devo, quale, quali, quando, dove, chi, come, perché, quanto, ha, è, che cosa, cosa',
    policy:
      'politica, politiche, generalmente, normalmente, di norma, di solito, sempre, condizioni, regolamento',
    all: 'tutto, tutti, tutte, tutta, ogni',
    both: 'entrambi, entrambe',
    it: 'questo, ciò, lo',
    them: 'questi, queste, essi',
    definite:
      "il, la, lo, i, gli, le, l', suo, sua, suoi, sue, questo, questa, questi, queste, mio, nostro, nostra, tuo, tua",
    past: 'ieri, settimana scorsa, mese scorso, anno scorso, precedentemente, originariamente, fa, in precedenza',
    already: 'già',
    by: 'da, dal, dalla',
    adverb:
      'ora, adesso, anche, già, tutto, oggi, bene, le, ti, si, appena, ancora, non solo, così, infine, la, lo, li',
    through:
      'è andato a buon fine, è andata a buon fine, ha avuto esito positivo, è riuscito, è riuscita, ha funzionato, ha avuto luogo',
    done: 'fatto, completo, completato, concluso, confermato, terminato, effettivo, risolto, finalizzato',
    makes:
      'confermato, confermata, confermati, confermate, effettuato, effettuata, completato, completata, emesso, emessa',
    yet: 'ancora',
    proof: 'confermato, confermata',
    asked:
      'richiesto, richiesta, inviato, inviata, avviato, avviata, presentato, presentata, inoltrato, inoltrata',
    confirming:
      'confermando, sta confermando, in corso di conferma, è in corso di conferma, in attesa di conferma, attendo la conferma, attendo conferma, attendiamo la conferma, non ancora confermato, non ancora confermata, non è ancora confermato, non è ancora confermata, non posso confermare, nessuna conferma, in fase di conferma, in corso di verifica, in sospeso',
    request: 'chiamata, richiesta, richieste, operazione, procedura, azione, processo, pratica',
    choice: 'opzioni, opzione, motivo, motivi, ragione, ragioni, scelga, scegli, selezioni',
    now: 'ora, adesso',
    document: 'riepilogo, elenco, lista, bozza, piano, tabella, proposta',
    part: 'indirizzo, bagaglio, bagagli, valigia, posto, articolo, articoli, password, passeggero, quantità, telefono',
    yes: `${sharedRoles.yes}, sì`,
    no: `${sharedRoles.no}, nessuno`,
    link: "di, del, della, dell', per, il, la, l', a, al, suo, sua",
    idCue:
      'ordine, numero, prenotazione, biglietto, caso, fattura, codice, riferimento, volo, ticket, rimborso, ordini, conto, articolo, abbonamento',
    cents: 'centesimi, cents',
    span: 'giorno, giorni, ore, ora lavorativa, settimana, settimane, lavorativi, minuti, mese, mesi',
    state: 'stato, status',
    over: 'più di, meno di, oltre, sopra, sotto, superiore a, inferiore a, maggiore di, minore di, almeno, al massimo, fino a, supera, eccede',
    limit: 'soglia, limite, budget, tetto, massimo, minimo, o più, o meno',
    stock:
      'disponibile, disponibili, non disponibile, esaurito, esaurita, alternativa, più economico, più economica',
    like: 'corrisponde a, uguale a, identico a',
    figure: 'prezzo, prezzi, totale, costo, importo, saldo, tariffa, differenza',
    closing:
      'grazie, non esiti, resto a disposizione, a disposizione, buona giornata, cordiali saluti, salve, buongiorno, mi dispiace, mi scuso, altro, posso aiutarla',
  },
  actions: {
    refund: {
      done: 'rimborsato, riaccreditato, accreditato',
      base: 'rimborsare, riaccreditare, accreditare',
      nouns: 'rimborso, rimborsi, accredito',
      name: 'il rimborso',
    },
    cancel: {
      done: 'annullato, cancellato, disdetto',
      base: 'annullare, cancellare, disdire',
      nouns: 'annullamento, cancellazione, disdetta',
      name: "l'annullamento",
    },
    return: {
      done: 'restituito, reso',
      base: 'restituire, rendere',
      nouns: 'reso, resi, restituzione',
      name: 'il reso',
    },
    exchange: {
      done: 'scambiato, sostituito',
      base: 'scambiare, sostituire',
      nouns: 'scambio, sostituzione, cambio merce',
      name: 'la sostituzione',
    },
    change: {
      done: 'modificato, aggiornato, cambiato, corretto, spostato, riprogrammato, prolungato, variato',
      base: 'modificare, aggiornare, cambiare, correggere, spostare, riprogrammare, variare',
      nouns:
        'modifica, modifiche, aggiornamento, cambio, cambiamento, variazione, correzione, upgrade',
      name: 'la modifica',
    },
    book: {
      done: 'prenotato, riservato, programmato, fissato',
      base: 'prenotare, riservare, programmare, fissare',
      nouns: 'prenotazione del volo',
      name: 'la prenotazione',
    },
    order: {
      done: 'ordinato, acquistato, comprato',
      base: 'ordinare, acquistare',
      nouns: 'acquisto, acquisti',
      name: "l'ordine",
    },
    send: {
      done: 'inviato, mandato, notificato, informato, avvisato',
      base: 'inviare, mandare, notificare, informare, avvisare',
      nouns: 'e-mail, email, messaggio, notifica, buono, invito',
      name: 'il messaggio',
    },
    ship: {
      done: 'spedito, consegnato',
      base: 'spedire, consegnare',
      nouns: 'spedizione, consegna',
      name: 'la spedizione',
    },
    transfer: {
      done: 'trasferito, inoltrato, passato',
      base: 'trasferire, inoltrare',
      nouns: 'trasferimento, bonifico',
      name: 'il trasferimento',
    },
    pay: {
      done: 'addebitato, pagato, fatturato, riscosso',
      base: 'addebitare, pagare, fatturare',
      nouns: 'pagamento, pagamenti, addebito',
      name: 'il pagamento',
    },
    create: {
      done: 'creato, aperto',
      base: 'creare, aprire',
      nouns: 'ticket, reclamo, segnalazione',
      name: 'la richiesta',
    },
    add: { done: 'aggiunto', base: 'aggiungere', nouns: 'aggiunta', name: "l'aggiunta" },
    remove: {
      done: 'rimosso, tolto',
      base: 'rimuovere, togliere',
      nouns: 'rimozione',
      name: 'la rimozione',
    },
    delete: { done: 'eliminato', base: 'eliminare', nouns: 'eliminazione', name: "l'eliminazione" },
    deploy: {
      done: 'distribuito, pubblicato, rilasciato',
      base: 'distribuire, pubblicare, rilasciare',
      nouns: 'distribuzione, pubblicazione, rilascio, deployment',
      name: 'il rilascio',
    },
    revert: {
      done: 'ripristinato',
      base: 'ripristinare',
      nouns: 'ripristino',
      name: 'il ripristino',
    },
    restart: { done: 'riavviato', base: 'riavviare', nouns: 'riavvio', name: 'il riavvio' },
    stop: {
      done: 'fermato, arrestato',
      base: 'fermare, arrestare',
      nouns: 'arresto',
      name: "l'arresto",
    },
    close: {
      done: 'chiuso, archiviato',
      base: 'chiudere, archiviare',
      nouns: 'chiusura',
      name: 'la chiusura',
    },
    approve: {
      done: 'approvato',
      base: 'approvare',
      nouns: 'approvazione',
      name: "l'approvazione",
    },
    activate: {
      done: 'attivato, sbloccato, riattivato',
      base: 'attivare, sbloccare',
      nouns: 'attivazione',
      name: "l'attivazione",
    },
    deactivate: {
      done: 'disattivato, bloccato, sospeso',
      base: 'disattivare, bloccare, sospendere',
      nouns: 'disattivazione, blocco, sospensione',
      name: 'la disattivazione',
    },
    reset: {
      done: 'reimpostato',
      base: 'reimpostare',
      nouns: 'reimpostazione',
      name: 'la reimpostazione',
    },
    assign: { done: 'assegnato', base: 'assegnare', nouns: 'assegnazione', name: "l'assegnazione" },
    renew: { done: 'rinnovato', base: 'rinnovare', nouns: 'rinnovo', name: 'il rinnovo' },
    register: {
      done: 'registrato, iscritto',
      base: 'registrare, iscrivere',
      nouns: 'registrazione, iscrizione',
      name: 'la registrazione',
    },
  },
  light:
    'elaborato, effettuato, eseguito, completato, concluso, emesso, confermato, fatto, applicato, avviato, richiesto, presentato, salvato, accettato, finalizzato, disposto',
  lightBase:
    'elaborare, effettuare, eseguire, completare, concludere, emettere, fare, applicare, avviare',
  things: {
    book: 'prenotazione, prenotazioni, appuntamento, volo, posto, camera, tavolo, viaggio, riunione',
    order: 'ordine, ordini',
    change: 'indirizzo, piano, dati, bagaglio',
  },
  counts: ['uno', 'due', 'tre', 'quattro', 'cinque', 'sei', 'sette', 'otto', 'nove', 'dieci'],
  months: [
    'gennaio',
    'febbraio',
    'marzo',
    'aprile',
    'maggio',
    'giugno',
    'luglio',
    'agosto',
    'settembre',
    'ottobre',
    'novembre',
    'dicembre',
  ],
  grammar: {
    agreement: { strip: 'o', endings: ['a', 'i', 'e'] },
    helper: 'adjacent',
    participleIsPast: false,
    adverbEnding: 'mente',
  },
  writing: {
    unknown: '{action}{details} è in attesa di conferma; non serve chiedere di nuovo.',
    failed: 'Purtroppo {action}{details} non ha avuto esito positivo; nulla è cambiato.',
    skipped: '{action}{details} è ancora in corso e in attesa di conferma.',
    never: '{action}{details} non ha avuto luogo.',
    ok: '{action}{details} ha avuto esito positivo.',
    action: "l'operazione",
    details: ' ({})',
    opening: 'Ecco la situazione attuale:',
    decimal: ',',
    currencyFirst: false,
  },
};
