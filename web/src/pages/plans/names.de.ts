import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  plans: 'Tarife',
  newPlan: 'Neuer Tarif',
})
