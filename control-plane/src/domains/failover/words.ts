import { catalogue } from '@lodge/shared/words/catalogue.ts'

/** What notifications say about failovers. */
export const t = catalogue(
  {
    started: '{node} was declared dead',
    willReturn:
      '{servers, plural, one {One server} other {# servers}} will be brought back on other nodes.',
    takenOver: '{node} was taken over',
    takenOverBody:
      'It was silent for longer than its lease, so its guarded servers have stopped. Those with a backup elsewhere are brought back on other nodes. The node takes no new servers until you uncordon it.',
    switchedOffBody:
      'It was silent, and your fence command has switched it off and seen that it is off. Its servers with a backup elsewhere are brought back on other nodes. The node takes no new servers until you uncordon it.',
    notSwitchedOff: '{node} cannot be switched off',
    notSwitchedOffBody:
      '{detail}. {node} is silent, and its servers wait until the fence command has switched it off. It is tried again by itself. If you know that the machine is off, declare it dead.',
    silent: '{nodes, plural, one {{names} is silent} other {# nodes are silent at once}}',
    nothingTakenOver:
      'Nothing is taken over: {names}. Check the network of the control plane first. Then declare the nodes dead that are.',
    copyStuck:
      '{node} cannot {runs, select, true {stop} other {delete}} what it has of {isNamed, select, true {{server}} other {a server}}',
    copyStuckBody:
      'The server is elsewhere, and {node} has tried several times: {detail}. Mend that on the node: it tries again by itself, at once when its agent connects.',
    completed:
      '{servers, plural, =0 {{node} had no servers to bring back} other {The servers of {node} are back}}',
    broughtBack:
      '{servers, plural, =0 {No server was on it when it was lost.} one {One server was brought back on another node.} other {# servers were brought back on other nodes.}}',
    leftBehind:
      '{servers, plural, one {One server} other {# servers}} of {node} could not be brought back',
    othersReturned:
      '{servers, plural, one {One server} other {# servers}} brought back. The page of failover says why the others are not.',
    blocked:
      '{servers, plural, one {One server of {node} cannot} other {# servers of {node} cannot}} be brought back now',
    blockedBody:
      '{reasons}. As soon as that has changed, this is tried again by itself. The page of failover shows the reason for each server.',
    serverRunsElsewhere: '{server} was brought back on another machine',
    serverReturnedWhole:
      'The machine it was on is lost. None of its files is lost. Its address may have changed.',
    serverReturned: '{server} was brought back from a backup',
    serverReturnedAs:
      'The machine it was on is lost. Its files are those of {at}; later changes are gone. Its address may have changed.',
  },
  { de: () => import('./words.de.ts') },
)
