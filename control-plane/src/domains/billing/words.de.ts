import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  refundFailed: 'Die Erstattung von {number} an {email} ist fehlgeschlagen',
  eventGivenUp: 'Eine Meldung von {provider} ließ sich nicht übernehmen',
  eventGivenUpBody:
    '{type}: {why}. Sie wird nicht von selbst wieder versucht. Lassen Sie sie noch einmal ansehen, wenn die Ursache behoben ist.',
  notBackedUp: 'Der Server {server} von {email} konnte vor seiner Löschung nicht gesichert werden',
  notProvisioned: 'Der Server von {email} ({plan}) konnte nicht erstellt werden',

  // Lines
  setup: 'Einrichtung',
  restOfPlan: 'Rest des bisherigen Tarifs',
  tax: '{name} {percent} %',
  taxOf: '{tax} ({jurisdiction})',
  taxStuck: 'Eine Rechnung von {email} ({plan}) wartet auf ihre Steuer',
  taxUnrecorded: '{number} von {email} ist beim Steueranbieter nicht erfasst',
  taxNumber: 'Steuernummer: {number}',
  toBalance: 'Ihrem Guthaben gutgeschrieben',
  fromBalance: 'Aus Ihrem Guthaben bezahlt',

  // Papers
  invoice: 'Rechnung',
  creditNote: 'Rechnungskorrektur',
  description: 'Beschreibung',
  amount: 'Betrag',
  issued: 'Ausgestellt',
  due: 'Fällig',
  paid: 'Bezahlt',
  period: '{from} bis {to}',
  net: 'Netto',
  total: 'Gesamt',
  amountPaid: 'Bezahlt',
  leftToPay: 'Noch zu zahlen',
  isVoid: 'Diese Rechnung ist storniert: Sie schulden nichts dafür.',
  isPaid: 'Diese Rechnung ist bezahlt. Vielen Dank.',
  reference: 'Geben Sie bei Ihrer Zahlung {number} als Verwendungszweck an.',
  forInvoice: 'Zur Rechnung',
  ofDay: 'Vom',
  refundOf: 'Erstattung: {plan}',
  wentBack:
    '{way, select, provider {Der Betrag geht den Weg zurück, auf dem er bezahlt wurde.} host {Der Betrag wurde Ihnen zurückgezahlt.} dispute {Der Betrag ging nach einer Rückbuchung über Ihre Bank zurück.} other {Der Betrag steht auf Ihrem Guthaben und wird für Ihre nächsten Rechnungen verwendet.}}',
  reversed:
    'Diese Rechnungskorrektur gilt nicht mehr: Der Betrag konnte nicht zurückgegeben werden.',
  notCreated: 'Der Server konnte nicht erstellt werden',
  changedLate:
    'Das Geld kam an, als der Zeitraum schon vorbei war. Die nächste Rechnung berechnet den neuen Tarif ab diesem Tag.',
})
