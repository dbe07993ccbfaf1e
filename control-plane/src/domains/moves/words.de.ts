import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  hasOlder: '{server} hat ältere Dateien',
  hasOlderBody:
    'Der Anbieter ließ ihn eine ältere Kopie nehmen. Seine Dateien sind die vom {at}; spätere Änderungen fehlen. Einige Tage lang hat der Anbieter sie eventuell noch.',
  hasNewer: '{server} hat wieder seine neueren Dateien',
  hasNewerBody:
    'Der Anbieter ließ ihn die Dateien nehmen, die er bis {at} hatte. Was seither auf ihm geschrieben wurde, fehlt. Einige Tage lang hat der Anbieter das eventuell noch.',
})
