import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  status: 'Statusseite',
  keywords: 'Störung Wartung Verfügbarkeit Ausfall öffentlich uptime',
})
