import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  keyAdded: 'Ihrem Konto wurde ein SSH-Schlüssel hinzugefügt',
  keyAddedBody:
    '{name} ({fingerprint}). Er öffnet die Dateien Ihrer Server: Entfernen Sie ihn, wenn es nicht Ihrer ist.',
})
