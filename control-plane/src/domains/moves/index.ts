export { giveUpMovesTo, movesTo } from './lost-targets.ts'
export { leavePrepared, makePlace } from './move-saga.ts'
export { leavePlace, placedOn, swapPlaces, takePlace } from './places.ts'
export { freeOn, hasRoom } from './targets.ts'
