import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  hasOlder: '{server} hat ältere Dateien',
  hasOlderBody:
    'Der Anbieter ließ ihn eine ältere Kopie nehmen. Seine Dateien sind die vom {at}; spätere Änderungen fehlen. Einige Tage lang hat der Anbieter sie eventuell noch.',
})
