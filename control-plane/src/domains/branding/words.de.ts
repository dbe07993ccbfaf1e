import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  announcement: 'Ankündigung von {panel}',
})
