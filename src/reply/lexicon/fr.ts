import type { Lexicon } from './lexicon.ts';
import { sharedRoles } from './shared-roles.ts';

/** French. */
export const french: Lexicon = {
  language: 'fr',
  frequent:
    "le, la, les, de, des, du, et, est, vous, votre, vos, je, j', nous, a, été, pour, sur, avec, dans, ne, pas, un, une, que, qui, l', d', n', ce, au, aux, en, si, c', il, elle",
  roles: {
    ...sharedRoles,
    self: "je, j', nous, notre équipe, notre système, le système, l' équipe, notre service",
    other:
      "vous, tu, elle, ils, elles, quelqu' un, la compagnie aérienne, la compagnie, le client, la cliente, le vendeur, la banque, l' hôtel, le fournisseur, le magasin",
    have: 'a, ont, avait, avaient',
    haveSelf: 'ai, avons',
    been: 'été, fut, furent',
    was: 'fut, furent',
    be: 'est, sont',
    beBare: 'être',
    ongoing: 'en cours, en train',
    negation: "non, ne, n', pas, aucun, aucune, rien, jamais, ni, personne",
    nothing: 'rien, aucune modification, aucun changement',
    failedTo:
      "n' ai pas pu, n' avons pas pu, n' a pas pu, n' ont pas pu, n' ai pas réussi à, n' avons pas réussi à, n' a pas réussi à, n' a pas été possible de, n' a pas été possible d'",
    cannot: 'ne peux pas, ne pouvons pas, ne peut pas, ne peuvent pas, ne peux plus, ne peut plus',
    managedTo: 'ai pu, avons pu, a pu, ai réussi à, avons réussi à, ai bien pu',
    failing:
      "a échoué, ont échoué, échoué, n' a pas abouti, n' a pas fonctionné, n' a pas marché, n' est pas passé, n' est pas passée, refusé, refusée, n' a pas eu lieu, a été refusé, a été refusée, a été rejeté, a été rejetée",
    unchanged:
      "reste inchangé, reste inchangée, restent inchangés, inchangé, inchangée, rien n' a été fait, rien n' a changé, rien n' a été modifié",
    modal:
      'peux, peut, pouvez, pouvons, peuvent, pourrais, pourrait, pourriez, pourrions, dois, doit, doivent, devez, devrait, devraient, devrais, souhaite, souhaitez, veux, veut, voudrais, faut, faudrait, aurait, auraient',
    infinitive: 'pour, afin',
    future: 'sera, seront, serez, vais, va, vont, allons, recevrez, aurez, verrez',
    receive: 'recevrez, recevoir, aurez, verrez',
    condition:
      "si, s', quand, lorsque, lorsqu', dès, une fois, à moins, avant, après, tant, jusqu', comment, pourquoi, pourvu",
    reason: "parce, puisque, puisqu', car, comme, étant donné",
    relative: 'qui, dont, laquelle, lequel',
    that: "que, qu'",
    and: 'et, puis, ainsi, ensuite, également',
    but: 'mais, cependant, toutefois, pourtant, bien que, tandis',
    regret: 'malheureusement',
    hedge:
      'semble, semblent, probablement, sûrement, apparemment, crois, pense, suppose, espère, espérons, sans doute, vraisemblablement, peut-être, paraît',
    reported:
      "vous avez dit, vous dites, vous avez mentionné, vous mentionnez, vous avez indiqué, vous indiquez, vous écrivez, selon, d' après, conformément, comme vous l' avez dit, comme vous le dites, par exemple",
    uncertain:
      "ne peux pas confirmer, ne peux pas encore confirmer, ne pouvons pas confirmer, ne pouvons pas encore confirmer, pas confirmer, pas encore confirmer, pas sûr, pas certain, ne sais pas, ne sait pas, ignore, vérifie, vérifions, vérifier, ne peux pas dire, tiendrai informé, tiendrons informé, préviendrai, pas de confirmation, m' assure, assurer",
    ask: "souhaitez-vous, voulez-vous, dois-je, puis-je, veuillez confirmer, confirmez-vous, pouvez-vous confirmer, pouvez-vous, merci de confirmer, est-ce correct, d' accord, pourriez-vous, veuillez indiquer, veuillez me",
    question:
      'souhaitez-vous, voulez-vous, dois-je, puis-je, pouvez-vous, avez-vous, est-ce, a-t-elle, a-t-il, quel, quelle, quels, quand, comment, pourquoi, où, qui, combien, faut-il, ou',
    policy:
      'politique, politiques, généralement, normalement, habituellement, en général, toujours, conditions, règlement',
    all: 'tout, tous, toutes, toute, chaque, partout',
    both: 'deux, les deux',
    it: "cela, ceci, c', ça, l', elle, il",
    them: 'ceux-ci, celles-ci, ils, elles',
    definite:
      "votre, vos, le, la, les, l', ce, cette, cet, ces, mon, ma, notre, nos, il, elle, c', cela",
    past: "hier, la semaine dernière, le mois dernier, autrefois, initialement, auparavant, précédemment, à l' époque",
    already: 'déjà',
    by: 'par',
    adverb:
      'bien, maintenant, désormais, aussi, également, tout, enfin, toujours, encore, donc, ainsi, y, vous, lui, en, non seulement, se, me, nous',
    through:
      'a abouti, est passé, est passée, a fonctionné, a réussi, a bien abouti, a bien fonctionné, est bien passé, est bien passée, a eu lieu, est en place',
    done: 'terminé, fait, effectif, complet, confirmé, réussi, finalisé, réglé',
    makes:
      'confirmé, confirmée, confirmés, confirmées, passé, passée, finalisé, finalisée, émis, émise',
    yet: 'encore',
    proof: 'confirmé, confirmée',
    asked: 'demandé, soumis, lancé, initié, envoyé, transmis, déposé, enregistré',
    confirming:
      'en train de confirmer, en train de la confirmer, en train de le confirmer, confirmation en cours, en cours de confirmation, en attente de confirmation, attends la confirmation, attendons la confirmation, pas encore confirmé, pas encore confirmée, pas confirmer, pas encore confirmer, en cours de vérification, pas de confirmation, en attente',
    request: 'appel, demande, demandes, requête, opération, démarche, procédure, tâche, dossier',
    choice: 'options, option, choix, raison, raisons, motif, motifs, choisir, choisissez',
    now: 'maintenant, désormais, à présent',
    document: 'résumé, liste, récapitulatif, brouillon, plan, tableau, proposition',
    part: 'adresse, bagage, bagages, valise, siège, article, articles, passager, quantité',
    yes: `${sharedRoles.yes}, oui`,
    no: `${sharedRoles.no}, non, aucun`,
    link: "de, du, des, pour, la, le, l', d', votre, sur, à, n°",
    idCue:
      'commande, numéro, n°, réservation, billet, dossier, facture, code, référence, vol, ticket, remboursement, commandes, compte, article, abonnement',
    cents: 'centimes, cents',
    span: 'jour, jours, heures, heure, semaine, semaines, ouvrés, ouvrables, minutes, mois',
    state: 'statut, état',
    over: "plus de, moins de, au-dessus de, en dessous de, supérieur à, inférieur à, au moins, au plus, jusqu'à, dépasse, dépassant",
    limit: 'seuil, limite, budget, plafond, maximum, minimum, ou plus, ou moins',
    stock:
      'disponible, disponibles, indisponible, en stock, épuisé, épuisée, alternative, moins cher, moins chère',
    like: 'correspond à, correspondant à, identique à',
    figure: 'prix, total, coût, montant, solde, tarif, frais, différence',
    closing:
      "merci, n' hésitez pas, avec plaisir, bonne journée, je reste à votre disposition, à votre disposition, cordialement, bonjour, désolé, désolée, puis-je vous aider, autre chose, je suis désolé",
  },
  actions: {
    refund: {
      done: 'remboursé, crédité, recrédité, reversé',
      base: 'rembourser, créditer, recréditer',
      nouns: 'remboursement, remboursements, avoir',
      name: 'le remboursement',
    },
    cancel: {
      done: 'annulé, résilié',
      base: 'annuler, résilier',
      nouns: 'annulation, annulations, résiliation',
      name: "l'annulation",
    },
    return: {
      done: 'retourné, renvoyé',
      base: 'retourner, renvoyer',
      nouns: 'retour, retours',
      name: 'le retour',
    },
    exchange: {
      done: 'échangé, remplacé',
      base: 'échanger, remplacer',
      nouns: 'échange, échanges, remplacement',
      name: "l'échange",
    },
    change: {
      done: 'modifié, changé, actualisé, mis à jour, mise à jour, mises à jour, reprogrammé, surclassé, déplacé, corrigé, décalé, prolongé, reporté',
      base: 'modifier, changer, actualiser, mettre à jour, reprogrammer, surclasser, déplacer, corriger, prolonger, reporter',
      nouns:
        'modification, modifications, changement, changements, surclassement, correction, report',
      name: 'la modification',
    },
    book: {
      done: 'réservé, programmé, planifié',
      base: 'réserver, programmer, planifier',
      nouns: 'réservation de vol',
      name: 'la réservation',
    },
    order: {
      done: 'commandé, acheté',
      base: 'commander, acheter',
      nouns: 'achat, achats',
      name: 'la commande',
    },
    send: {
      done: 'envoyé, notifié, informé, prévenu, adressé, transmis',
      base: 'envoyer, notifier, informer, prévenir, transmettre',
      nouns: 'e-mail, email, mail, courriel, message, notification, bon, invitation',
      name: 'le message',
    },
    ship: {
      done: 'expédié, livré',
      base: 'expédier, livrer',
      nouns: 'expédition, livraison',
      name: "l'expédition",
    },
    transfer: {
      done: 'transféré, viré, redirigé',
      base: 'transférer, virer, rediriger',
      nouns: 'transfert, virement',
      name: 'le transfert',
    },
    pay: {
      done: 'débité, facturé, payé, prélevé, encaissé',
      base: 'débiter, facturer, payer, prélever, encaisser',
      nouns: 'paiement, paiements, prélèvement, débit',
      name: 'le paiement',
    },
    create: {
      done: 'créé, ouvert',
      base: 'créer, ouvrir',
      nouns: 'ticket, réclamation, plainte',
      name: 'la demande',
    },
    add: { done: 'ajouté', base: 'ajouter', nouns: 'ajout', name: "l'ajout" },
    remove: {
      done: 'retiré, enlevé',
      base: 'retirer, enlever',
      nouns: 'retrait',
      name: 'le retrait',
    },
    delete: {
      done: 'supprimé, effacé',
      base: 'supprimer, effacer',
      nouns: 'suppression',
      name: 'la suppression',
    },
    deploy: {
      done: 'déployé, publié, mis en production, mise en production',
      base: 'déployer, publier',
      nouns: 'déploiement, publication, mise en production',
      name: 'le déploiement',
    },
    revert: {
      done: 'restauré, rétabli',
      base: 'restaurer, rétablir',
      nouns: 'restauration',
      name: 'la restauration',
    },
    restart: {
      done: 'redémarré, relancé',
      base: 'redémarrer, relancer',
      nouns: 'redémarrage',
      name: 'le redémarrage',
    },
    stop: { done: 'arrêté, stoppé', base: 'arrêter, stopper', nouns: 'arrêt', name: "l'arrêt" },
    close: {
      done: 'fermé, clôturé, résolu, archivé',
      base: 'fermer, clôturer',
      nouns: 'fermeture, clôture',
      name: 'la clôture',
    },
    approve: { done: 'approuvé', base: 'approuver', nouns: 'approbation', name: "l'approbation" },
    activate: {
      done: 'activé, débloqué, réactivé',
      base: 'activer, débloquer',
      nouns: 'activation',
      name: "l'activation",
    },
    deactivate: {
      done: 'désactivé, bloqué, suspendu',
      base: 'désactiver, bloquer, suspendre',
      nouns: 'désactivation, blocage, suspension',
      name: 'la désactivation',
    },
    reset: {
      done: 'réinitialisé',
      base: 'réinitialiser',
      nouns: 'réinitialisation',
      name: 'la réinitialisation',
    },
    assign: {
      done: 'attribué, assigné',
      base: 'attribuer, assigner',
      nouns: 'attribution',
      name: "l'attribution",
    },
    renew: {
      done: 'renouvelé',
      base: 'renouveler',
      nouns: 'renouvellement',
      name: 'le renouvellement',
    },
    register: { done: 'inscrit', base: 'inscrire', nouns: 'inscription', name: "l'inscription" },
  },
  light:
    'traité, effectué, réalisé, terminé, finalisé, soumis, émis, confirmé, fait, pris en compte, prise en compte, enregistré, lancé, initié, appliqué, accepté, validé, passé, exécuté, demandé',
  lightBase:
    'traiter, effectuer, réaliser, terminer, finaliser, soumettre, émettre, faire, lancer, appliquer, procéder',
  things: {
    book: 'réservation, réservations, rendez-vous, vol, siège, chambre, table, voyage',
    order: 'commande, commandes',
    change: 'adresse, coordonnées, forfait, bagages',
  },
  counts: ['un', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf', 'dix'],
  months: [
    'janvier',
    'février',
    'mars',
    'avril',
    'mai',
    'juin',
    'juillet',
    'août',
    'septembre',
    'octobre',
    'novembre',
    'décembre',
  ],
  grammar: {
    agreement: { strip: '', endings: ['e', 's', 'es'] },
    helper: 'adjacent',
    participleIsPast: false,
    adverbEnding: 'ment',
  },
  writing: {
    unknown:
      '{action}{details} est en attente de confirmation ; il est inutile de refaire la demande.',
    failed: "Malheureusement, {action}{details} n'a pas abouti ; rien n'a été modifié.",
    skipped: '{action}{details} est encore en cours, en attente de confirmation.',
    never: "{action}{details} n'a pas eu lieu.",
    ok: '{action}{details} a bien abouti.',
    action: "l'opération",
    details: ' ({})',
    opening: 'Voici où en sont les choses :',
    decimal: ',',
    currencyFirst: false,
  },
};
