export { describeModels, type Description } from './describe'
export { openModels, type Models } from './models'
export { ModelsEnv } from './models.env'
