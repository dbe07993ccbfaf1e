import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  failed: '{plugin} ist fehlgeschlagen und wurde abgeschaltet',
})
