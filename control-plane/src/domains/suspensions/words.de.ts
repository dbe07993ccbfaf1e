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
})
