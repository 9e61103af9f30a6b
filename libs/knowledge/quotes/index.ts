export type { Place } from './closest-places'
export { closestPlaces } from './closest-places'
export { unitsIn } from './units'
