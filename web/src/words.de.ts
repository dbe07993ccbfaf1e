import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  noAnswer: 'Keine Antwort vom Panel',
  answerWas:
    'Vielleicht startet es gerade neu. Versuchen Sie es in einer Minute noch einmal. Statt einer Antwort kam {status} {text}.',
  notReached:
    'Das Panel ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  notFound: 'Seite nicht gefunden',
  notFoundText: 'Unter dieser Adresse gibt es nichts',
  toStart: 'Zur Startseite',
  crashed: 'Diese Seite kann nicht angezeigt werden',
})
