export { showPlan } from './plans.ts'
export {
  currentPrices,
  findPrices,
  insertPrices,
  type PriceRow,
  priceLike,
} from './price-store.ts'
export { showPrice } from './prices.ts'
export { faultsOfPreset } from './questions.ts'
export {
  findPlan,
  heldUnits,
  insertCopy,
  listPlans,
  lockPlan,
  type PlanRow,
  planExists,
  planHeads,
  planNames,
  startSubscription,
} from './store.ts'
