import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  noAnswer: 'Keine Antwort von der Control Plane',
  answerWas: 'Die Antwort war {status} {text}',
  notReached:
    'Die Control Plane ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  notFound: 'Seite nicht gefunden',
  notFoundText: 'Unter dieser Adresse gibt es nichts',
  toStart: 'Zur Startseite',
  crashed: 'Diese Seite kann nicht angezeigt werden',
})
