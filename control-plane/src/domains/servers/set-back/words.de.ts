import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  ahead: '{node} weiß mehr als die Datenbank',
  aheadBody:
    'Die Datenbank wurde zurückgesetzt. {servers, plural, one {Ein Server weicht ab} other {# Server weichen ab}}: {names}. Dort wird nichts gestartet, gestoppt oder gelöscht, bis Sie auf der Failover-Seite entscheiden.',
})
