import { catalogue } from '@lodge/shared/words/catalogue.ts'

export const t = catalogue(
  {
    imageChosen: 'Image chosen',
    imageChosenText: 'It takes effect at the next start.',
    image: 'Image',
    imageHelp: 'What the program runs in, such as a version of Java',
    newerVersion: 'A newer version of {template} is available (this server uses v{version})',
    openTemplate: 'Open template',
    newerVersionText: 'Update this server on the page of the template. Its files are kept.',
    newerVersionFromHost: 'Your host can update this server. Its files are kept.',
    variables: 'Variables',
    noVariables: 'This template has no variables.',
    startup: 'Startup',
    variablesSaved: 'Variables saved',
    variablesSavedText: 'They take effect at the next start.',
    setByHost: 'Set by the host',
    describedAndSetByHost: '{description} · Set by the host',
    command: 'Command',
    imageCommand: 'The default command of the image.',
    commandFrom: 'From {template} v{version}',
  },
  { de: () => import('./words.de.ts') },
)
