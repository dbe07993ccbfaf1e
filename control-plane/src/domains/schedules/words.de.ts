import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  failed: '{schedule} von {server} ist fehlgeschlagen',
  missed: '{schedule} von {server} wurde nicht ausgeführt',
  missedTimes:
    '{count, plural, one {Er war am {at} fällig, als das Panel nicht lief oder keine Verbindung zum Node hatte.} other {Er war #-mal fällig, während das Panel nicht lief oder keine Verbindung zum Node hatte, zuletzt am {at}.}}',
  message: 'Eine Nachricht von einem Zeitplan von {server}',
})
