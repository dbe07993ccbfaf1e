import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  fleet: 'Flotte',
  catalogue: 'Katalog',
  people: 'Personen',
  system: 'System',
})
