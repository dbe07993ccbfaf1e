/** The German words of what customers are told, for their notices and mails. */
export const NEWS_IN_GERMAN = {
  invoice_issued: {
    subject: 'Rechnung {{ invoice }} für {{ plan }}',
    text: 'Bitte zahlen Sie {{ amount }} bis {{ until }}.',
  },
  charge_coming: {
    subject: 'Rechnung {{ invoice }} für {{ plan }} wird abgebucht',
    text: 'Wir buchen {{ amount }} am {{ until }} über Ihr gespeichertes Zahlungsmittel ab. Sie müssen nichts tun.',
  },
  method_expires: {
    subject: 'Ihr Zahlungsmittel läuft ab, bevor sich {{ plan }} verlängert',
    text: 'Wir möchten am {{ until }} für Rechnung {{ invoice }} {{ amount }} abbuchen, aber Ihr gespeichertes Zahlungsmittel gilt dann nicht mehr. Speichern Sie ein anderes, oder zahlen Sie die Rechnung.',
  },
  charge_failed: {
    subject: 'Rechnung {{ invoice }} für {{ plan }} konnte nicht abgebucht werden',
    text: 'Wir konnten {{ amount }} nicht über Ihr gespeichertes Zahlungsmittel abbuchen. Bitte zahlen Sie die Rechnung. Ist sie bis {{ until }} nicht bezahlt, wird {{ plan }} gesperrt.',
  },
  invoice_paid: {
    subject: 'Rechnung {{ invoice }} für {{ plan }} ist bezahlt',
    text: 'Wir haben Ihre Zahlung von {{ amount }} erhalten. Vielen Dank.',
  },
  refunded: {
    subject: 'Erstattung von {{ amount }} für {{ plan }}',
    text: 'Wir haben Ihnen {{ amount }} der Rechnung {{ invoice }} erstattet. Die Rechnungskorrektur finden Sie auf Ihrer Abrechnungsseite.',
  },
  refunded_to_balance: {
    subject: '{{ amount }} für {{ plan }} stehen auf Ihrem Guthaben',
    text: '{{ amount }} der Rechnung {{ invoice }} stehen jetzt auf Ihrem Guthaben und werden für Ihre nächsten Rechnungen verwendet. Die Rechnungskorrektur finden Sie auf Ihrer Abrechnungsseite. {{ reason }}',
  },
  refund_reversed: {
    subject: 'Die Erstattung von {{ amount }} für {{ plan }} ist nicht angekommen',
    text: 'Die Erstattung von {{ amount }} der Rechnung {{ invoice }} kam zu uns zurück. Schreiben Sie uns, wohin sie gehen soll.',
  },
  payment_reminder: {
    subject: 'Rechnung {{ invoice }} für {{ plan }} ist noch nicht bezahlt',
    text: '{{ amount }} sind offen. Bitte zahlen Sie bis {{ until }}.',
  },
  trial_ending: {
    subject: 'Ihre Probezeit von {{ plan }} endet bald',
    text: 'Ihre Probezeit von {{ plan }} endet am {{ until }}. Um {{ plan }} zu behalten, zahlen Sie bis dahin {{ amount }} der Rechnung {{ invoice }}.',
  },
  trial_charge: {
    subject: 'Ihre Probezeit von {{ plan }} endet bald',
    text: 'Ihre Probezeit von {{ plan }} endet am {{ until }}. Dann belasten wir Ihr gespeichertes Zahlungsmittel mit {{ amount }}, wenn Sie nicht vorher kündigen.',
  },
  suspension_warning: {
    subject: '{{ plan }} wird gesperrt',
    text: 'Rechnung {{ invoice }} über {{ amount }} ist überfällig. Ist sie bis {{ until }} nicht bezahlt, wird {{ plan }} gesperrt.',
  },
  suspended: {
    subject: '{{ plan }} ist gesperrt',
    text: 'Rechnung {{ invoice }} über {{ amount }} ist nicht bezahlt. Sobald sie es ist, läuft {{ plan }} wieder. Ihre Daten bleiben erhalten.',
  },
  host_suspended: {
    subject: 'Wir haben {{ plan }} gesperrt',
    text: 'Wir haben {{ plan }} gesperrt. Der Grund: „{{ reason }}“ Ihre Daten bleiben erhalten, und die bezahlte Zeit steht still. Schreiben Sie uns, wenn Sie das für falsch halten oder es behoben ist.',
  },
  host_lifted: {
    subject: '{{ plan }} ist nicht mehr gesperrt',
    text: '{{ plan }} funktioniert wieder. Ihre bezahlte Zeit verlängert sich um die Dauer der Sperre.',
  },
  extended: {
    subject: '{{ plan }} läuft ohne Zahlung bis {{ until }}',
    text: 'Wir schenken Ihnen freie Zeit für {{ plan }}: Bis {{ until }} zahlen Sie dafür nichts mehr. {{ reason }}',
  },
  deletion_warning: {
    subject: '{{ plan }} endet, und die Daten werden gelöscht',
    text: 'Rechnung {{ invoice }} über {{ amount }} ist immer noch nicht bezahlt. Wenn Sie sie nicht bis {{ until }} zahlen, endet {{ plan }}, und die Daten werden gelöscht.',
  },
  activated: {
    subject: '{{ plan }} ist aktiv',
    text: 'Ihr Abonnement von {{ plan }} ist aktiv. Vielen Dank.',
  },
  changed: {
    subject: 'Ihr Abonnement ist jetzt {{ plan }}',
    text: 'Ab jetzt haben Sie {{ plan }}. Was Sie wann zahlen, steht auf Ihrer Abrechnungsseite.',
  },
  tax_address: {
    subject: 'Für die nächste Rechnung für {{ plan }} brauchen wir Ihr Land',
    text: 'Die Steuer auf Ihrer nächsten Rechnung für {{ plan }} hängt davon ab, wo Sie sind. Bitte prüfen Sie die Anschrift auf Ihrer Abrechnungsseite: Land, Postleitzahl und, falls vorhanden, Ihre Steuernummer.',
  },
  tax_address_reminder: {
    subject: '{{ plan }} wird angehalten: Wir brauchen noch Ihr Land',
    text: 'Wir können die Steuer auf Ihrer nächsten Rechnung für {{ plan }} nicht berechnen. Bitte prüfen Sie die Anschrift auf Ihrer Abrechnungsseite: Land, Postleitzahl und, falls vorhanden, Ihre Steuernummer. Andernfalls wird {{ plan }} am {{ until }} angehalten.',
  },
  tax_address_suspended: {
    subject: '{{ plan }} ist gesperrt: Wir brauchen Ihr Land',
    text: 'Wir konnten die Rechnung für {{ plan }} nicht ausstellen, weil wir nicht wissen, wo Sie sind. Vervollständigen Sie die Anschrift auf Ihrer Abrechnungsseite und zahlen Sie die Rechnung, die dann folgt; danach läuft {{ plan }} wieder. Ihre Daten bleiben erhalten.',
  },
  tax_address_deletion: {
    subject: '{{ plan }} endet, und die Daten werden gelöscht',
    text: 'Wir wissen immer noch nicht, wo Sie sind; deshalb gibt es für {{ plan }} keine Rechnung, die Sie zahlen könnten. Vervollständigen Sie die Anschrift auf Ihrer Abrechnungsseite, und zahlen Sie die Rechnung, die dann folgt, bis {{ until }}: Sonst endet {{ plan }}, und die Daten werden gelöscht.',
  },
  cancel_scheduled: {
    subject: '{{ plan }} ist gekündigt',
    text: '{{ plan }} läuft bis {{ until }} und endet dann. Bis dahin können Sie die Kündigung auf der Seite „Abrechnung“ zurücknehmen.',
  },
  server_delayed: {
    subject: 'Der Server von {{ plan }} konnte noch nicht erstellt werden',
    text: 'Wir konnten den Server von {{ plan }} noch nicht erstellen. Wir wissen davon und versuchen es weiter. Ist er bis {{ until }} nicht da, können Sie auf der Seite „Abrechnung“ zurücknehmen, was Sie bezahlt haben.',
  },
  canceled: {
    subject: 'Ihr Abonnement von {{ plan }} ist beendet',
    text: 'Ihr Abonnement von {{ plan }} ist beendet. Ein Server, der dazu gehörte, bleibt bis {{ until }} erhalten und wird dann gelöscht.',
  },
} as const

export const MOVED_IN_GERMAN = {
  refunded_outside: '{{ amount }} von {{ invoice }} wurden beim Anbieter erstattet',
  refund_reversed: 'Die Erstattung von {{ amount }} von {{ invoice }} kam zurück',
  dispute_opened: '{{ email }} ficht {{ amount }} von {{ invoice }} an',
  dispute_won: 'Die Anfechtung von {{ amount }} von {{ invoice }} ist vorbei: Das Geld bleibt',
  dispute_lost: 'Die Anfechtung von {{ amount }} von {{ invoice }} ist verloren',
  balance_dispute_lost: 'Die Anfechtung von {{ amount }} von {{ invoice }} ist verloren',
} as const

export const NEXT_IN_GERMAN = {
  refunded_outside:
    'Eine Rechnungskorrektur wurde ausgestellt. Das Abonnement läuft weiter, wenn Sie es nicht beenden.',
  refund_reversed:
    'Die Rechnungskorrektur dazu gilt nicht mehr. Fragen Sie den Kunden, wohin das Geld gehen soll.',
  dispute_opened:
    'Antworten Sie darauf beim Anbieter. Der Betrag kann bis dahin nicht erstattet werden.',
  dispute_won: 'Ein Server, der deswegen aus war, darf wieder laufen.',
  dispute_lost:
    'Eine Rechnungskorrektur wurde ausgestellt. Beenden Sie das Abonnement, oder heben Sie die Sperre seines Servers auf.',
  balance_dispute_lost:
    'Von der Rechnung war nichts übrig, also wurde das Guthaben des Kunden gekürzt, auch unter null. Beenden Sie das Abonnement, oder heben Sie die Sperre seines Servers auf.',
} as const
