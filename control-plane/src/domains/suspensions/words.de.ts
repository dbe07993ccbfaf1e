import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  suspended: 'Ihr Konto wurde gesperrt',
  suspendedUntil: 'Bis {at}.',
  over: 'Ihr Konto ist nicht mehr gesperrt',
  overBody: 'Sie können wieder alles benutzen.',
  appeals: '{email} legt Einspruch gegen die Sperre ein',
  appealsAgain: '{email} hat im Einspruch geantwortet',
  appealWaits: 'Der Einspruch wartet auf eine Antwort.',
  fileInfected: 'Ein Scanner hat eine Datei im Einspruch von {email} abgelehnt',
  answered:
    '{decision, select, granted {Ihrem Einspruch wurde stattgegeben} rejected {Ihr Einspruch wurde abgelehnt} other {Ihr Einspruch wurde beantwortet}}',
  readAnswer: 'Lesen Sie die Antwort auf Ihren Einspruch.',
  decided: '{decision, select, granted {angenommen} other {abgelehnt}}',
  abuse: 'Missbrauch',
  abuseText:
    'Uns wurde gemeldet, dass Ihre Server missbraucht wurden, zum Beispiel für Angriffe, Spam oder Phishing. Bitte teilen Sie uns mit, was geschehen ist und was Sie dagegen getan haben.',
  dispute: 'Streit um eine Zahlung',
  disputeText:
    'Eine Zahlung Ihres Kontos wurde angefochten oder sieht nach Betrug aus. Bitte melden Sie sich bei uns, damit wir das klären.',
  terms: 'Nutzungsbedingungen',
  termsText:
    'Ihre Nutzung verstößt gegen unsere Nutzungsbedingungen. Bitte lesen Sie sie und teilen Sie uns mit, wie Sie sie künftig einhalten.',
  compromised: 'Übernommenes Konto',
  compromisedText:
    'Offenbar hatte jemand anderes Zugriff auf Ihr Konto. Wir haben es gesperrt, um Ihre Daten zu schützen. Bitte melden Sie sich bei uns.',
})
