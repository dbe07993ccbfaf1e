import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  noMail: 'Es lassen sich keine E-Mails senden',
  noMailBody:
    '{waiting, plural, one {Eine E-Mail wartet} other {# E-Mails warten}}, die älteste seit {since}. Der letzte Versuch: {error}. Prüfen Sie die E-Mail-Einstellungen; was wartet, wird gesendet, sobald sie stimmen.',
})
