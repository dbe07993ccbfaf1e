import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  setBack: 'Die Datenbank wurde zurückgesetzt',
  setBackBody:
    'Sie hat einen älteren Stand oder liegt in einem anderen PostgreSQL als zuvor. Für kurze Zeit wird nichts von selbst übernommen, umgezogen oder gestartet, und das Inventar jedes Nodes wird mit ihr verglichen. Die Failover-Seite zeigt, was abweicht.',
})
