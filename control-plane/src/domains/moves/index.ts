export { makePlace } from './move-saga.ts'
export { leavePlace, placedOn, swapPlaces, takePlace } from './places.ts'
export { freeOn, hasRoom } from './targets.ts'
