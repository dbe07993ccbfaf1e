import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  alwaysShown: 'Immer sichtbar',
  narrower: '{column} schmaler machen',
  wider: '{column} breiter machen',
  toLeft: '{column} nach links',
  isLeftmost: '{column} steht schon ganz links',
  toRight: '{column} nach rechts',
  isRightmost: '{column} steht schon ganz rechts',
  resetColumns: 'Spalten zurücksetzen',
  aboutViews:
    'Eine Ansicht ist ein Filter mit Sortierung und Spalten unter einem Namen. Nur Sie sehen Ihre.',
  deleteView: 'Ansicht {name} löschen',
  viewName: 'Name dieser Ansicht',
  tooManyViews: 'Es gibt {count} Ansichten: Löschen Sie zuerst eine',
  nameFirst: 'Geben Sie der Ansicht zuerst einen Namen',
  replaceView: 'Ansicht ersetzen',
  saveView: 'Ansicht speichern',
})
