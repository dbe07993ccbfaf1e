import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    alwaysShown: 'Always shown',
    narrower: 'Make {column} narrower',
    wider: 'Make {column} wider',
    toLeft: 'Move {column} to the left',
    isLeftmost: '{column} is as far left as it goes',
    toRight: 'Move {column} to the right',
    isRightmost: '{column} is as far right as it goes',
    resetColumns: 'Reset columns',
    aboutViews: 'A view is a filter, an order and columns under a name. Only you see yours.',
    deleteView: 'Delete the view {name}',
    viewName: 'Name of this view',
    tooManyViews: 'There are {count} views: delete one first',
    nameFirst: 'Give the view a name first',
    replaceView: 'Replace view',
    saveView: 'Save view',
  },
  { de: () => import('./words.de.ts') },
)
