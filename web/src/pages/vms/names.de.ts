import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  screen: 'Bildschirm',
  serial: 'Seriell',
  hardware: 'Hardware',
  snapshots: 'Snapshots',
  move: 'Umziehen',
})
