import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  command: 'curl-Befehl',
  commandOf: 'curl-Befehl: {action}',
  bySession:
    'Das kann kein API-Token. LODGE_SESSION ist das Cookie panel_session eines angemeldeten Browsers; bewahren Sie es auf wie ein Passwort.',
  byToken: 'LODGE_TOKEN ist ein API-Token mit dem Scope „{scope}“.',
  none: 'Noch keine Änderungen',
  noneText: 'Was Sie in diesem Tab ändern, erscheint hier als Befehl für die API.',
})
