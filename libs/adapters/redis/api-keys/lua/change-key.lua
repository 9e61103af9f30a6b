--[[
Changes an API key, unless another process has changed the key since the caller read it. Announces the change to all
gateways. The row of a key is its stored form as JSON.
KEYS[1] api-keys:{all}:by-hash   KEYS[2] api-keys:{all}:rows   KEYS[3] api-keys:{all}:tenant:<tenant>
ARGV[1] the API key's id   ARGV[2] the row that the caller read   ARGV[3] the new row   ARGV[4] a new hash, or ''
ARGV[5] '' or a time (ms). With a time, an admin key is changed only if the tenant has another admin key that is valid
at this time.
ARGV[6] and following: hashes that become invalid
Returns 'changed', 'raced' if another process has changed the key, or 'last' if no other admin key would remain.
]]
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then return 'raced' end

local function isAdmin(text)
  local row = cjson.decode(text)
  if row.revokedAt or (row.expiresAt and row.expiresAt <= tonumber(ARGV[5])) then return false end
  for _, role in ipairs(row.roles) do
    if role == 'admin' then return true end
  end
  return false
end

if ARGV[5] ~= '' and isAdmin(ARGV[2]) then
  local left = 0
  for _, id in ipairs(redis.call('SMEMBERS', KEYS[3])) do
    local text = id ~= ARGV[1] and redis.call('HGET', KEYS[2], id)
    if text and isAdmin(text) then left = left + 1 end
  end
  if left == 0 then return 'last' end
end

for i = 6, #ARGV do redis.call('HDEL', KEYS[1], ARGV[i]) end
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], ARGV[4], ARGV[1]) end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
redis.call('PUBLISH', KEYS[2], ARGV[1])
return 'changed'
