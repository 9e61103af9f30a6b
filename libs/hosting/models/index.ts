export { describeModels } from './describe'
export { openModels, type Models } from './models'
export { ModelsEnv } from './models.env'
