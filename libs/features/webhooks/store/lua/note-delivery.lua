--[[
Stores the progress of a webhook delivery, if the delivery still exists.
KEYS[1] webhook:{id}:delivery
ARGV pairs of field and value; an empty value removes the field
Returns 1, or 0 if the webhook delivery is gone.
]]
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for i = 1, #ARGV, 2 do
  if ARGV[i + 1] == '' then
    redis.call('HDEL', KEYS[1], ARGV[i])
  else
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  end
end
return 1
