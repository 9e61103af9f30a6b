/** Packages that contain binaries for all platforms. The value is the folder with one subfolder for each platform. */
export const binariesOf = { 'onnxruntime-node': 'bin/napi-v6' }

const own = `${process.platform}/${process.arch}`

export const isForeignBinary = (path) => {
  const parts = path.split(/[\\/]/).join('/')
  return Object.entries(binariesOf).some(([name, folder]) => {
    const [, rest] = parts.split(`node_modules/${name}/${folder}/`)
    return rest !== undefined && rest.split('/').length >= 2 && !`${rest}/`.startsWith(`${own}/`)
  })
}
