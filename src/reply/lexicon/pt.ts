import type { Lexicon } from './lexicon.ts';
import { sharedRoles } from './shared-roles.ts';

/** Portuguese. */
export const portuguese: Lexicon = {
  language: 'pt',
  frequent:
    'o, a, os, as, de, do, da, e, é, seu, sua, foi, para, com, por, em, que, não, um, uma, no, na, ao, já, está, se, você, eu, lhe, mais, obrigado, como, dos, das, ainda',
  roles: {
    ...sharedRoles,
    self: 'eu, nós, nossa equipe, nossa equipa, o sistema, nosso sistema, a equipe, a equipa',
    other:
      'você, o senhor, a senhora, ele, ela, eles, alguém, a companhia aérea, o cliente, a cliente, o vendedor, a loja, o banco, o hotel, o fornecedor',
    have: 'tem, têm, tinha, havia',
    haveSelf: 'tenho, temos',
    been: 'sido, foi, foram',
    was: 'foi, foram',
    be: 'está, estão, fica, ficou, ficam',
    beBare: 'ser, estar',
    ongoing: 'sendo, em andamento, em processamento, em curso',
    negation: 'não, nunca, nenhum, nenhuma, nada, nem, tampouco, jamais, ninguém',
    nothing: 'nada, nenhuma alteração, nenhuma mudança',
    failedTo:
      'não consegui, não conseguimos, não pude, não pudemos, não foi possível, não pôde, não puderam, não conseguiu',
    cannot:
      'não posso, não podemos, não pode, não podem, não é possível, não consigo, não conseguimos mais',
    managedTo: 'consegui, conseguimos, pude, foi possível',
    failing:
      'falhou, falharam, fracassou, recusado, recusada, rejeitado, rejeitada, não deu certo, não funcionou, não foi concluído, não foi concluída, não teve êxito, não foi efetivado, não foi efetivada, não teve sucesso',
    unchanged:
      'continua igual, permanece inalterado, permanece inalterada, sem alterações, nada mudou, nada foi alterado, nada foi feito',
    modal:
      'posso, pode, podem, podemos, poderia, poderiam, devo, deve, devem, deveria, deveriam, quero, quer, deseja, preciso, precisa, gostaria, teria, teriam',
    infinitive: 'para',
    future: 'será, serão, vai, vamos, vão, vou, receberá, receberás, verá',
    receive: 'receberá, receberás, receber, verá',
    condition:
      'se, quando, assim que, logo que, caso, a menos, antes, depois, até, enquanto, como, após, uma vez, desde que',
    reason: 'porque, pois, já que, visto, dado',
    relative: 'quem, qual, quais, cujo',
    that: 'que',
    and: 'e, então, também, além, depois',
    but: 'mas, porém, no entanto, embora, contudo, todavia',
    regret: 'infelizmente',
    hedge:
      'parece, parecem, provavelmente, talvez, possivelmente, aparentemente, acho, achamos, creio, suponho, espero, tomara',
    reported:
      'você disse, o senhor disse, a senhora disse, disse, mencionou, indicou, segundo, conforme, de acordo com, como disse, você escreveu, por exemplo',
    uncertain:
      'não posso confirmar, não podemos confirmar, ainda não posso confirmar, não consigo confirmar, não tenho certeza, não sei, não sabemos, verifico, verificar, vou verificar, não posso dizer, avisarei, informarei, sem confirmação, garantir',
    ask: 'deseja que, quer que, gostaria que, gostaria de, confirme, confirma, por favor confirme, pode confirmar, poderia confirmar, posso prosseguir, devo, está correto, está de acordo, poderia informar, informe',
    question:
      'deseja, quer, pode, poderia, posso, devo, gostaria, qual, quais, quando, onde, quem, como, por que, quanto, há, tem, o que',
    policy:
      'política, políticas, geralmente, normalmente, em geral, habitualmente, sempre, condições, regra',
    all: 'tudo, todos, todas, toda, todo, cada',
    both: 'ambos, ambas, os dois, as duas',
    it: 'isso, isto, ele, ela',
    them: 'estes, estas, eles, elas',
    definite:
      'seu, sua, seus, suas, o, a, os, as, este, esta, esse, essa, meu, nosso, nossa, isso, isto',
    past: 'ontem, semana passada, mês passado, ano passado, anteriormente, originalmente, atrás, há dias',
    already: 'já',
    by: 'por, pelo, pela',
    adverb:
      'agora, também, já, todo, hoje, bem, lhe, me, nos, se, ainda, não só, assim, enfim, finalmente',
    through:
      'deu certo, foi um sucesso, teve êxito, teve sucesso, funcionou, se concretizou, correu bem, ocorreu',
    done: 'pronto, feito, completo, concluído, finalizado, confirmado, resolvido',
    makes:
      'confirmado, confirmada, confirmados, confirmadas, realizado, realizada, concluído, concluída, emitido, emitida, feito, feita',
    yet: 'ainda',
    proof: 'confirmado, confirmada',
    asked:
      'solicitado, solicitada, enviado, enviada, iniciado, iniciada, pedido, registrado, registrada, submetido, submetida',
    confirming:
      'confirmando, a ser confirmado, a ser confirmada, aguardando confirmação, aguarda confirmação, à espera de confirmação, aguardo a confirmação, aguardando a confirmação, ainda não foi confirmado, ainda não foi confirmada, ainda não está confirmado, não posso confirmar, sem confirmação, sendo confirmado, sendo confirmada, está pendente, em processamento',
    request:
      'chamada, pedido, solicitação, solicitações, operação, procedimento, ação, processo, requisição',
    choice: 'opções, opção, motivo, motivos, razão, razões, escolha, selecione',
    now: 'agora',
    document: 'resumo, lista, rascunho, plano, tabela, proposta',
    part: 'endereço, bagagem, mala, malas, assento, item, itens, artigo, senha, passageiro, quantidade, telefone, morada',
    yes: `${sharedRoles.yes}, sim`,
    no: `${sharedRoles.no}, nenhum`,
    link: 'de, do, da, para, o, a, seu, sua, no, na, ao',
    idCue:
      'pedido, número, reserva, bilhete, passagem, caso, fatura, código, referência, voo, ticket, reembolso, pedidos, conta, item, assinatura, encomenda',
    cents: 'centavos, cêntimos, cents',
    span: 'dia, dias, horas, hora, semana, semanas, úteis, minutos, mês, meses',
    state: 'estado, status, situação',
    over: 'mais de, menos de, acima de, abaixo de, maior que, menor que, superior a, inferior a, pelo menos, no máximo, até, ultrapassa, excede',
    limit: 'limite, orçamento, teto, máximo, mínimo, ou mais, ou menos',
    stock:
      'disponível, disponíveis, indisponível, esgotado, esgotada, em estoque, em stock, alternativa, mais barato, mais barata',
    like: 'corresponde a, igual a, idêntico a',
    figure: 'preço, preços, total, custo, montante, saldo, tarifa, taxa, diferença',
    closing:
      'obrigado, obrigada, não hesite, fico à disposição, à disposição, bom dia, tenha um, atenciosamente, olá, desculpe, lamento, sinto muito, algo mais, posso ajudar',
  },
  actions: {
    refund: {
      done: 'reembolsado, estornado, ressarcido, creditado',
      past: 'reembolsei, reembolsamos, estornei, estornamos',
      base: 'reembolsar, estornar, ressarcir, creditar',
      nouns: 'reembolso, reembolsos, estorno, ressarcimento',
      name: 'o reembolso',
    },
    cancel: {
      done: 'cancelado, anulado',
      past: 'cancelei, cancelamos, anulei',
      base: 'cancelar, anular',
      nouns: 'cancelamento, cancelamentos, anulação',
      name: 'o cancelamento',
    },
    return: {
      done: 'devolvido',
      past: 'devolvi',
      base: 'devolver',
      nouns: 'devolução, devoluções',
      name: 'a devolução',
    },
    exchange: {
      done: 'trocado, substituído',
      past: 'troquei, trocamos, substituí',
      base: 'trocar, substituir',
      nouns: 'troca, trocas, substituição',
      name: 'a troca',
    },
    change: {
      done: 'alterado, atualizado, modificado, mudado, corrigido, remarcado, ajustado, prorrogado, reagendado',
      past: 'alterei, alteramos, atualizei, atualizamos, modifiquei, mudei, remarquei',
      base: 'alterar, atualizar, modificar, mudar, corrigir, remarcar, ajustar, reagendar',
      nouns:
        'alteração, alterações, atualização, modificação, mudança, remarcação, correção, upgrade',
      name: 'a alteração',
    },
    book: {
      done: 'reservado, agendado, marcado',
      past: 'reservei, reservamos, agendei, marquei',
      base: 'reservar, agendar, marcar',
      nouns: 'reserva de voo, agendamento',
      name: 'a reserva',
    },
    order: {
      done: 'comprado, encomendado',
      past: 'comprei',
      base: 'comprar, encomendar',
      nouns: 'compra, compras',
      name: 'o pedido',
    },
    send: {
      done: 'enviado, notificado, informado',
      past: 'enviei, enviamos, notifiquei',
      base: 'enviar, notificar, informar',
      nouns: 'e-mail, email, mensagem, notificação, vale, convite',
      name: 'a mensagem',
    },
    ship: {
      done: 'entregue, despachado',
      base: 'entregar, despachar',
      nouns: 'envio, entrega',
      name: 'o envio',
    },
    transfer: {
      done: 'transferido, encaminhado, escalado',
      past: 'transferi, transferimos, encaminhei',
      base: 'transferir, encaminhar, escalar',
      nouns: 'transferência, encaminhamento',
      name: 'a transferência',
    },
    pay: {
      done: 'cobrado, debitado, pago, faturado',
      past: 'cobrei, cobramos, debitei',
      base: 'cobrar, debitar, pagar, faturar',
      nouns: 'pagamento, pagamentos, cobrança, débito',
      name: 'o pagamento',
    },
    create: {
      done: 'criado, aberto',
      past: 'criei, criamos, abri, abrimos',
      base: 'criar, abrir',
      nouns: 'ticket, reclamação, chamado',
      name: 'a solicitação',
    },
    add: {
      done: 'adicionado, acrescentado',
      past: 'adicionei, acrescentei',
      base: 'adicionar, acrescentar',
      name: 'a adição',
    },
    remove: {
      done: 'removido, retirado',
      past: 'removi, retirei',
      base: 'remover, retirar',
      nouns: 'remoção',
      name: 'a remoção',
    },
    delete: {
      done: 'excluído, apagado, eliminado',
      past: 'excluí, apaguei',
      base: 'excluir, apagar, eliminar',
      nouns: 'exclusão',
      name: 'a exclusão',
    },
    deploy: {
      done: 'implantado, publicado, lançado',
      past: 'implantei, publiquei',
      base: 'implantar, publicar, lançar',
      nouns: 'implantação, publicação, lançamento',
      name: 'a implantação',
    },
    revert: {
      done: 'revertido, restaurado',
      past: 'reverti',
      base: 'reverter, restaurar',
      nouns: 'restauração, reversão',
      name: 'a reversão',
    },
    restart: {
      done: 'reiniciado',
      past: 'reiniciei',
      base: 'reiniciar',
      nouns: 'reinício',
      name: 'o reinício',
    },
    stop: {
      done: 'parado, interrompido',
      past: 'parei',
      base: 'parar, interromper',
      name: 'a interrupção',
    },
    close: {
      done: 'fechado, encerrado, arquivado',
      past: 'fechei, encerrei',
      base: 'fechar, encerrar',
      nouns: 'encerramento',
      name: 'o encerramento',
    },
    approve: {
      done: 'aprovado',
      past: 'aprovei',
      base: 'aprovar',
      nouns: 'aprovação',
      name: 'a aprovação',
    },
    activate: {
      done: 'ativado, desbloqueado',
      past: 'ativei',
      base: 'ativar, desbloquear',
      nouns: 'ativação',
      name: 'a ativação',
    },
    deactivate: {
      done: 'desativado, bloqueado, suspenso',
      past: 'desativei, bloqueei',
      base: 'desativar, bloquear, suspender',
      nouns: 'desativação, bloqueio, suspensão',
      name: 'a desativação',
    },
    reset: {
      done: 'redefinido',
      past: 'redefini',
      base: 'redefinir',
      nouns: 'redefinição',
      name: 'a redefinição',
    },
    assign: {
      done: 'atribuído',
      past: 'atribuí',
      base: 'atribuir',
      nouns: 'atribuição',
      name: 'a atribuição',
    },
    renew: {
      done: 'renovado',
      past: 'renovei',
      base: 'renovar',
      nouns: 'renovação',
      name: 'a renovação',
    },
    register: {
      done: 'registrado, inscrito',
      past: 'registrei',
      base: 'registrar, inscrever',
      nouns: 'registro, inscrição',
      name: 'o registro',
    },
  },
  light:
    'processado, realizado, efetuado, concluído, finalizado, emitido, confirmado, feito, aplicado, iniciado, executado, solicitado, aceito, salvo, submetido, providenciado, efetivado',
  lightPast:
    'processei, processamos, realizei, realizamos, concluí, concluímos, fiz, fizemos, emiti, emitimos, efetuei, efetuamos',
  lightBase:
    'processar, realizar, efetuar, concluir, finalizar, emitir, fazer, aplicar, iniciar, executar',
  things: {
    book: 'reserva, reservas, consulta, voo, assento, quarto, mesa, viagem, reunião',
    order: 'pedido, pedidos, encomenda',
    change: 'endereço, morada, plano, dados, bagagem',
  },
  counts: ['um', 'dois', 'três', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove', 'dez'],
  months: [
    'janeiro',
    'fevereiro',
    'março',
    'abril',
    'maio',
    'junho',
    'julho',
    'agosto',
    'setembro',
    'outubro',
    'novembro',
    'dezembro',
  ],
  grammar: {
    agreement: { strip: 'o', endings: ['a', 'os', 'as'] },
    helper: 'adjacent',
    participleIsPast: false,
    adverbEnding: 'mente',
  },
  writing: {
    unknown: '{action}{details} aguarda confirmação; não é preciso pedir novamente.',
    failed: 'Infelizmente, {action}{details} não teve êxito; nada foi alterado.',
    skipped: '{action}{details} ainda está em andamento e aguarda confirmação.',
    never: '{action}{details} não ocorreu.',
    ok: '{action}{details} teve êxito.',
    action: 'a operação',
    details: ' ({})',
    opening: 'Esta é a situação atual:',
    decimal: ',',
    currencyFirst: true,
  },
};
