import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  failed: '{plugin} ist fehlgeschlagen und wurde abgeschaltet',
  updateAvailable: '{plugin} {newest} ist verfügbar',
  updateAvailableBody:
    'Installiert ist die Version {version}. Die Seite des Plugins zeigt, was die neuere darf, und aktualisiert darauf.',
})
