import type { Lexicon } from './lexicon.ts';
import { sharedRoles } from './shared-roles.ts';

/** German. */
export const german: Lexicon = {
  language: 'de',
  frequent:
    'der, die, das, und, ist, ich, sie, ihre, ihren, ihrer, ihnen, wurde, haben, habe, nicht, ein, eine, für, mit, auf, zu, wir, sich, von, den, dem, es, noch, werden, wird, kann, bitte, auch, wenn, im, am, sind, bei',
  roles: {
    ...sharedRoles,
    self: 'ich, wir, unser team, unser system, das system, unsere buchhaltung, das team',
    other:
      'sie, du, er, wer, jemand, die fluggesellschaft, der kunde, die kundin, der verkäufer, der händler, die bank, das hotel, der anbieter, der lieferant, ihnen selbst',
    have: 'haben, hat, hatte, hatten',
    haveSelf: 'habe',
    been: 'wurde, wurden, worden',
    was: 'wurde, wurden',
    be: 'ist, sind',
    beBare: 'werden',
    ongoing:
      'wird gerade, wird noch, wird derzeit, wird aktuell, werden gerade, werden noch, werden derzeit',
    negation: 'nicht, kein, keine, keinen, keinem, keiner, nie, niemals, nichts, weder, niemand',
    nothing: 'nichts, keine änderungen, keine änderung',
    failedTo: 'konnte, konnten',
    failing:
      'fehlgeschlagen, gescheitert, schlug fehl, abgelehnt, nicht geklappt, nicht funktioniert, nicht erfolgreich, nicht durchgegangen, nicht zustande gekommen, misslungen',
    unchanged:
      'bleibt unverändert, bleiben unverändert, ist unverändert, nichts geändert, nichts passiert, nichts geschehen, nichts unternommen',
    modal:
      'kann, können, könnte, könnten, soll, sollen, sollte, sollten, muss, müssen, müsste, möchte, möchten, darf, dürfen, dürfte, würde, würden, will, wollen, lässt',
    future: 'wird, werden, werde, erhalten, bekommen',
    receive: 'erhalten, bekommen',
    condition:
      'wenn, falls, sobald, sofern, ob, bevor, bis, nachdem, solange, ehe, warum, wie, wann, vorausgesetzt',
    reason: 'weil, da, denn',
    relative: 'welche, welcher, welches, welchen',
    that: 'dass',
    and: 'und, sowie, dann, außerdem, zudem',
    but: 'aber, jedoch, obwohl, während, allerdings, trotzdem',
    regret: 'leider',
    hedge:
      'scheint, scheinen, vermutlich, wahrscheinlich, vielleicht, möglicherweise, eventuell, offenbar, anscheinend, hoffentlich, glaube, glauben, denke, vermute, vermuten, angeblich',
    reported:
      'sie sagten, sie haben gesagt, sie schreiben, sie schrieben, sie erwähnten, sie haben erwähnt, sie meinten, laut, gemäß, wie sie sagten, zufolge, sie haben geschrieben, sie berichteten, zum beispiel',
    uncertain:
      'nicht bestätigen, nicht sicher, weiß nicht, wissen nicht, unklar, prüfe, prüfen, überprüfe, nicht sagen, bescheid, melde mich, melden uns, nicht feststellen, stelle sicher, keine bestätigung, nicht bekannt',
    ask: 'soll ich, sollen wir, möchten sie, wollen sie, darf ich, bitte bestätigen, bestätigen sie, sind sie einverstanden, ist das korrekt, ist das richtig, fortfahren, bitte geben sie, bitte nennen, bitte wählen',
    question:
      'soll, sollen, möchten, wollen, können, könnten, kann, darf, dürfen, haben, hat, ist, sind, wurde, wurden, was, wann, wo, wer, wie, warum, welche, welcher, gibt, brauchen, benötigen, wäre, würden, oder',
    policy:
      'richtlinie, richtlinien, grundsätzlich, normalerweise, üblicherweise, in der regel, generell, immer, bedingungen, agb',
    all: 'alle, alles, sämtliche, jede, jeder, jedes, überall',
    both: 'beide, beiden, beides',
    it: 'es, dies',
    them: 'diese',
    definite:
      'ihre, ihr, ihrem, ihren, ihrer, ihres, die, der, das, den, dem, diese, dieser, dieses, meine, unsere, es, sie, ich, wir',
    past: 'gestern, letzte woche, letzten monat, letztes jahr, damals, ursprünglich, früher, seinerzeit',
    already: 'bereits, schon',
    by: 'von, durch',
    adverb:
      'jetzt, nun, soeben, gerade, eben, erfolgreich, vollständig, sofort, umgehend, hiermit, wie gewünscht, inzwischen, mittlerweile, außerdem, auch, noch, wunschgemäß, nicht nur, dann',
    through:
      'hat geklappt, ist durchgegangen, hat funktioniert, ist erfolgt, war erfolgreich, ist durch, erfolgt, geklappt, ist durchgelaufen',
    done: 'abgeschlossen, erledigt, fertig, erfolgreich, vollständig, bestätigt, geschafft',
    makes: 'bestätigt, aufgegeben, ausgestellt, abgeschlossen',
    yet: 'noch',
    proof: 'bestätigt',
    asked:
      'geschickt, verschickt, abgeschickt, versendet, versandt, beantragt, eingereicht, angefragt, gesendet, übermittelt, veranlasst, eingeleitet, angestoßen, aufgegeben, weitergeleitet',
    confirming:
      'wird noch bestätigt, noch nicht bestätigt, warte auf, warten auf, steht noch aus, wird bestätigt, wird geprüft, wird noch geprüft, nicht bestätigen, in prüfung, noch offen, keine bestätigung, bestätigung steht',
    request: 'aufruf, aufrufe, anfrage, antrag, auftrag, vorgang, anliegen, wunsch, anforderung',
    choice: 'optionen, option, möglichkeiten, grund, gründe, auswahl, wählen',
    now: 'nun, jetzt, nunmehr',
    document: 'zusammenfassung, liste, übersicht, entwurf, vorschlag, plan, tabelle',
    part: 'adresse, lieferadresse, gepäck, koffer, sitz, sitzplatz, artikel, passwort, passagier, menge, telefonnummer',
    yes: `${sharedRoles.yes}, ja`,
    no: `${sharedRoles.no}, nein, keine`,
    link: 'von, für, über, der, die, zu, ihre, ihrer',
    idCue:
      'bestellung, nummer, nr, buchung, reservierung, ticket, fall, rechnung, code, referenz, flug, auftrag, erstattung, bestellnummer, buchungsnummer, bestellungen, konto, artikel, abo',
    cents: 'cent, cents',
    span: 'tag, tage, tagen, werktage, werktagen, stunde, stunden, woche, wochen, minuten, monat, monaten',
    state: 'status, stand, zustand, bestellstatus, auftragsstatus, buchungsstatus',
    over: 'unter, mehr als, weniger als, höher als, niedriger als, günstiger als, mindestens, höchstens, bis zu, übersteigt, überschreitet, innerhalb',
    limit:
      'grenze, limit, budget, obergrenze, untergrenze, höchstbetrag, mindestbetrag, oder mehr, oder weniger',
    stock:
      'verfügbar, nicht verfügbar, vorrätig, lieferbar, ausverkauft, alternative, günstigste, günstigster, günstiger',
    like: 'passend zu, entspricht, genauso wie, identisch mit',
    figure:
      'preis, preise, gesamtpreis, summe, gesamtsumme, kosten, betrag, saldo, gebühr, differenz, guthaben',
    closing:
      'vielen dank, danke, gerne, gern, lassen sie mich wissen, wenn sie, kann ich sonst, sonst noch, schönen tag, einen schönen, viele grüße, freundliche grüße, freundlichen grüßen, hallo, guten tag, entschuldigung, tut mir leid, es tut mir leid',
  },
  actions: {
    refund: {
      done: 'erstattet, rückerstattet, zurückerstattet, zurückgezahlt, zurückgebucht, gutgeschrieben, zurücküberwiesen',
      base: 'erstatten, rückerstatten, zurückerstatten, zurückzahlen, gutschreiben',
      nouns:
        'erstattung, erstattungen, rückerstattung, rückerstattungen, gutschrift, rückzahlung, erstattungsantrag, erstattungsanfrage',
      name: 'die Erstattung',
    },
    cancel: {
      done: 'storniert, gekündigt, abgesagt, annulliert, abbestellt',
      base: 'stornieren, kündigen, absagen, annullieren',
      nouns: 'stornierung, stornierungen, storno, kündigung, absage, annullierung',
      name: 'die Stornierung',
    },
    return: {
      done: 'zurückgesendet, zurückgeschickt, retourniert, zurückgenommen',
      base: 'zurücksenden, zurückschicken, retournieren',
      nouns: 'rücksendung, rücksendungen, retoure, retouren, rückgabe',
      name: 'die Rücksendung',
    },
    exchange: {
      done: 'umgetauscht, ausgetauscht, ersetzt, getauscht',
      base: 'umtauschen, austauschen, ersetzen, tauschen',
      nouns: 'umtausch, austausch, ersatz, ersatzlieferung',
      name: 'der Umtausch',
    },
    change: {
      done: 'geändert, aktualisiert, umgebucht, angepasst, verschoben, hochgestuft, korrigiert, verlängert, umgestellt, abgeändert, verlegt, upgegradet',
      base: 'ändern, aktualisieren, umbuchen, anpassen, verschieben, hochstufen, korrigieren, verlängern, umstellen',
      nouns:
        'änderung, änderungen, aktualisierung, umbuchung, anpassung, verschiebung, upgrade, adressänderung, korrektur',
      name: 'die Änderung',
    },
    book: {
      done: 'gebucht, reserviert, eingeplant',
      base: 'buchen, reservieren, einplanen',
      nouns: 'flugbuchung, hotelbuchung, sitzplatzreservierung',
      name: 'die Buchung',
    },
    order: {
      done: 'bestellt, gekauft, erworben',
      base: 'bestellen, kaufen',
      nouns: 'kauf',
      name: 'die Bestellung',
    },
    send: {
      done: 'gesendet, geschickt, verschickt, abgeschickt, versendet, versandt, zugeschickt, benachrichtigt, informiert, zugesandt, gemailt',
      base: 'senden, schicken, verschicken, benachrichtigen, informieren, mailen',
      nouns: 'e-mail, email, mail, nachricht, benachrichtigung, gutschein, einladung',
      name: 'die Nachricht',
    },
    ship: {
      done: 'versandt, versendet, geliefert, ausgeliefert, zugestellt',
      base: 'versenden, liefern, zustellen',
      nouns: 'versand, lieferung, zustellung, sendung',
      name: 'der Versand',
    },
    transfer: {
      done: 'weitergeleitet, überwiesen, übertragen, verbunden, übergeben',
      base: 'weiterleiten, überweisen, übertragen, verbinden, übergeben',
      nouns: 'überweisung, weiterleitung, übertragung, übergabe',
      name: 'die Übertragung',
    },
    pay: {
      done: 'belastet, bezahlt, abgebucht, berechnet, eingezogen, gezahlt',
      base: 'belasten, bezahlen, abbuchen, berechnen, einziehen, zahlen',
      nouns: 'zahlung, zahlungen, abbuchung, belastung',
      name: 'die Zahlung',
    },
    create: {
      done: 'erstellt, angelegt, eröffnet',
      base: 'erstellen, anlegen, eröffnen',
      nouns: 'ticket, beschwerde, reklamation, supportfall',
      name: 'die Anfrage',
    },
    add: {
      done: 'hinzugefügt, ergänzt, zugebucht, dazugebucht',
      base: 'hinzufügen, ergänzen, zubuchen',
      name: 'die Ergänzung',
    },
    remove: { done: 'entfernt', base: 'entfernen', nouns: 'entfernung', name: 'die Entfernung' },
    delete: { done: 'gelöscht', base: 'löschen', nouns: 'löschung', name: 'die Löschung' },
    deploy: {
      done: 'bereitgestellt, ausgerollt, veröffentlicht, deployt, freigegeben',
      base: 'bereitstellen, ausrollen, veröffentlichen, deployen',
      nouns: 'deployment, bereitstellung, rollout, veröffentlichung',
      name: 'die Bereitstellung',
    },
    revert: {
      done: 'rückgängig gemacht, wiederhergestellt, zurückgerollt',
      base: 'rückgängig machen, wiederherstellen, zurückrollen',
      nouns: 'wiederherstellung, rollback',
      name: 'die Wiederherstellung',
    },
    restart: {
      done: 'neugestartet, neu gestartet',
      base: 'neustarten, neu starten',
      nouns: 'neustart',
      name: 'der Neustart',
    },
    stop: {
      done: 'gestoppt, angehalten, beendet',
      base: 'stoppen, anhalten, beenden',
      name: 'der Stopp',
    },
    close: {
      done: 'geschlossen, archiviert, gelöst',
      base: 'schließen, archivieren',
      nouns: 'schließung',
      name: 'die Schließung',
    },
    approve: {
      done: 'genehmigt, bewilligt',
      base: 'genehmigen, bewilligen',
      nouns: 'genehmigung',
      name: 'die Genehmigung',
    },
    activate: {
      done: 'aktiviert, freigeschaltet, entsperrt',
      base: 'aktivieren, freischalten, entsperren',
      nouns: 'aktivierung, freischaltung',
      name: 'die Aktivierung',
    },
    deactivate: {
      done: 'deaktiviert, gesperrt, blockiert',
      base: 'deaktivieren, sperren, blockieren',
      nouns: 'deaktivierung, sperrung',
      name: 'die Deaktivierung',
    },
    reset: {
      done: 'zurückgesetzt',
      base: 'zurücksetzen',
      nouns: 'zurücksetzung',
      name: 'das Zurücksetzen',
    },
    assign: {
      done: 'zugewiesen, zugeteilt',
      base: 'zuweisen, zuteilen',
      nouns: 'zuweisung',
      name: 'die Zuweisung',
    },
    renew: { done: 'erneuert', base: 'erneuern', nouns: 'erneuerung', name: 'die Erneuerung' },
    waive: { done: 'erlassen', base: 'erlassen', nouns: 'erlass', name: 'der Erlass' },
    register: {
      done: 'registriert, angemeldet, eingecheckt',
      base: 'registrieren, anmelden, einchecken',
      nouns: 'registrierung, anmeldung',
      name: 'die Anmeldung',
    },
  },
  light:
    'durchgeführt, abgeschlossen, bearbeitet, vorgenommen, veranlasst, erledigt, ausgeführt, eingereicht, beantragt, verbucht, ausgestellt, eingeleitet, gemacht, übernommen, gespeichert, bestätigt, ausgelöst, umgesetzt, abgewickelt, angestoßen, aufgegeben, angenommen',
  lightBase:
    'durchführen, abschließen, bearbeiten, vornehmen, veranlassen, erledigen, ausführen, einreichen, beantragen, machen, umsetzen, abwickeln',
  things: {
    book: 'buchung, buchungen, reservierung, reservierungen, termin, flug, sitzplatz, zimmer, tisch, reise',
    order: 'bestellung, bestellungen',
    change: 'adresse, lieferadresse, anschrift, tarif, einstellungen, gepäck',
  },
  counts: ['eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn'],
  months: [
    'januar',
    'februar',
    'märz',
    'april',
    'mai',
    'juni',
    'juli',
    'august',
    'september',
    'oktober',
    'november',
    'dezember',
  ],
  grammar: { helper: 'clause', compounds: true, participleIsPast: false },
  writing: {
    unknown: '{action}{details} wird noch bestätigt; eine weitere Anfrage ist nicht nötig.',
    failed: 'Leider ist {action}{details} fehlgeschlagen; es wurde nichts geändert.',
    skipped: '{action}{details} wird noch bearbeitet und noch bestätigt.',
    never: '{action}{details} ist nicht erfolgt.',
    ok: '{action}{details} ist erfolgt.',
    action: 'der Vorgang',
    details: ' ({})',
    opening: 'So ist der Stand:',
    decimal: ',',
    currencyFirst: false,
  },
};
