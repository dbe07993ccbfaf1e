import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  started: '{node} wurde für tot erklärt',
  willReturn:
    '{servers, plural, one {Ein Server wird} other {# Server werden}} auf andere Nodes zurückgeholt.',
  takenOver: '{node} wurde übernommen',
  takenOverBody:
    'Er hat sich länger nicht gemeldet, als seine Frist erlaubt, also sind seine überwachten Server gestoppt. Die mit einem Backup anderswo werden auf andere Nodes zurückgeholt. Der Node nimmt keine neuen Server an, bis Sie ihn wieder freigeben.',
  switchedOffBody:
    'Er hat sich nicht gemeldet, und Ihr Fence-Befehl hat ihn ausgeschaltet und gesehen, dass er aus ist. Seine Server mit einem Backup anderswo werden auf andere Nodes zurückgeholt. Der Node nimmt keine neuen Server an, bis Sie ihn wieder freigeben.',
  notSwitchedOff: '{node} lässt sich nicht ausschalten',
  notSwitchedOffBody:
    '{detail}. {node} meldet sich nicht, und seine Server warten, bis der Fence-Befehl ihn ausgeschaltet hat. Er wird von selbst wieder versucht. Wenn Sie wissen, dass die Maschine aus ist, erklären Sie den Node für tot.',
  silent:
    '{nodes, plural, one {{names} meldet sich nicht} other {# Nodes melden sich gleichzeitig nicht}}',
  nothingTakenOver:
    'Nichts wird übernommen: {names}. Prüfen Sie zuerst das Netzwerk der Control Plane. Erklären Sie dann die Nodes für tot, die es sind.',
  copyStuck:
    '{node} kann nicht {runs, select, true {stoppen} other {löschen}}, was er von {isNamed, select, true {{server}} other {einem Server}} hat',
  copyStuckBody:
    'Der Server ist anderswo, und {node} hat es mehrmals versucht: {detail}. Beheben Sie das auf dem Node: Er versucht es von selbst wieder, sofort, wenn sich sein Agent verbindet.',
  completed:
    '{servers, plural, =0 {{node} hatte keine Server, die zurückzuholen wären} other {Die Server von {node} sind zurück}}',
  broughtBack:
    '{servers, plural, =0 {Auf ihm war kein Server, als er verloren ging.} one {Ein Server wurde auf einen anderen Node zurückgeholt.} other {# Server wurden auf andere Nodes zurückgeholt.}}',
  leftBehind:
    '{servers, plural, one {Ein Server von {node} konnte} other {# Server von {node} konnten}} nicht zurückgeholt werden',
  othersReturned:
    '{servers, plural, one {Ein Server wurde} other {# Server wurden}} zurückgeholt. Die Failover-Seite sagt, warum die übrigen nicht.',
  blocked:
    '{servers, plural, one {Ein Server von {node} lässt} other {# Server von {node} lassen}} sich jetzt nicht zurückholen',
  blockedBody:
    '{reasons}. Sobald sich das geändert hat, wird es von selbst wieder versucht. Die Failover-Seite zeigt den Grund bei jedem Server.',
  serverRunsElsewhere: '{server} wurde auf einer anderen Maschine zurückgeholt',
  serverReturnedWhole:
    'Die Maschine, auf der er lief, ist verloren. Von seinen Dateien fehlt keine. Seine Adresse kann sich geändert haben.',
  serverReturned: '{server} wurde aus einem Backup zurückgeholt',
  serverReturnedAs:
    'Die Maschine, auf der er lief, ist verloren. Seine Dateien sind auf dem Stand von {at}; spätere Änderungen sind weg. Seine Adresse kann sich geändert haben.',
})
