import { translation } from '@lodge/shared/words/catalogue.ts'

export default translation({
  givenUp: 'Der Klon {clone} wurde aufgegeben',
  ownMachineLost:
    'Die Maschine, auf die er kommen sollte, ist verloren. Von ihm ist nichts geblieben, und der Server, von dem er stammt, ist unverändert. Bitten Sie Ihren Anbieter, diesen Server noch einmal zu klonen.',
  originalLost:
    'Die Maschine des Servers, von dem er stammt, ist verloren, daher konnten seine Dateien nicht kopiert werden. Von dem Klon ist nichts geblieben. Bitten Sie Ihren Anbieter, ein Backup dieses Servers zu klonen.',
  notCloned: '{clone} wurde nicht geklont',
  targetLost:
    '{node}, auf den er kommen sollte, ist verloren. Von dem Klon ist nichts geblieben. Erstellen Sie ihn noch einmal auf einem Node, der verbunden ist.',
  sourceLost:
    '{node} mit dem Original ist verloren. Von dem Klon ist nichts geblieben. Klonen Sie eines der Backups, oder warten Sie, bis {node} zurück ist.',
})
