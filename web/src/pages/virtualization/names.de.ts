import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  virtualization: 'Virtualisierung',
  addMedium: 'Installationsmedium hinzufügen',
  addMediumKeywords: 'iso image cloud hochladen upload netzwerk profil',
})
