{{/* The name of everything in a release. */}}
{{- define "portolan.name" -}}
{{- $name := .Release.Name -}}
{{- if not (contains "portolan" $name) }}{{ $name = printf "%s-portolan" $name }}{{ end -}}
{{- $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{/* The labels that select its pods. */}}
{{- define "portolan.selector" -}}
app.kubernetes.io/name: portolan
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "portolan.labels" -}}
{{ include "portolan.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* The name of its Redis, the labels that select the pod of it, and all of its labels. */}}
{{- define "portolan.redis" -}}
{{ include "portolan.name" . }}-redis
{{- end -}}

{{- define "portolan.redisSelector" -}}
app.kubernetes.io/name: portolan-redis
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "portolan.redisLabels" -}}
{{ include "portolan.redisSelector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* The Secret that pods mount. */}}
{{- define "portolan.secret" -}}
{{- .Values.secret.existing | default (include "portolan.name" .) -}}
{{- end -}}

{{/* The keys of it, as a list in JSON. */}}
{{- define "portolan.secretKeys" -}}
{{- if .Values.secret.existing -}}{{- .Values.secret.keys | toJson -}}
{{- else -}}{{- keys .Values.secret.values | sortAlpha | toJson -}}{{- end -}}
{{- end -}}

{{/* Ends with a sentence for each value that is missing or contradicts another. */}}
{{- define "portolan.check" -}}
{{- $faults := list -}}
{{- with .Values -}}
{{- if not .image.repository }}{{ $faults = append $faults "Set image.repository to the name of your image, such as --set image.repository=registry.example/portolan. Build it from the Dockerfile." }}{{ end -}}
{{- if not .image.tag }}{{ $faults = append $faults "Set image.tag to the version of your image." }}{{ end -}}
{{- $keys := include "portolan.secretKeys" $ | fromJsonArray -}}
{{- if not (or .settings.INDEXERS .settings.CHAIN_REGISTRY (has "indexers" $keys)) }}{{ $faults = append $faults "Set settings.INDEXERS (chainId=url), settings.CHAIN_REGISTRY, or the key indexers of the Secret: without a chain, the gateway ends with code 2." }}{{ end -}}
{{- if not (has "signing-keys" $keys) }}{{ $faults = append $faults "Set secret.values.signing-keys (openssl rand -hex 32), or name a Secret in secret.existing and list signing-keys in secret.keys: replicas need the same key." }}{{ end -}}
{{- if and .secret.existing .secret.values }}{{ $faults = append $faults "Set secret.existing or secret.values, not both." }}{{ end -}}
{{- range $key := $keys }}
{{- if not (has $key (list "signing-keys" "indexers" "router-url" "prices-url" "upstream-headers" "redis-url" "api-keys" "words")) }}{{ $faults = append $faults (printf "The gateway reads no file for the key %s of the Secret." $key) }}{{ end -}}
{{- $name := $key | upper | replace "-" "_" -}}
{{- if index $.Values.settings $name }}{{ $faults = append $faults (printf "settings.%s and the key %s of the Secret are both set. Set only one of them." $name $key) }}{{ end -}}
{{- end -}}
{{- if and (.redis).enabled (or .settings.REDIS_URL (has "redis-url" $keys)) }}{{ $faults = append $faults "The chart's own Redis (redis.enabled) and the URL of another are both set. Set only one of them." }}{{ end -}}
{{- if and .ingress.enabled (not .ingress.host) }}{{ $faults = append $faults "Set ingress.host." }}{{ end -}}
{{- if hasKey .settings "METRICS_PORT" }}{{ $faults = append $faults "Set metrics.port instead of settings.METRICS_PORT." }}{{ end -}}
{{- if hasKey .settings "PORT" }}{{ $faults = append $faults "The port of the graph is 4000 in the pod. Set service.port instead of settings.PORT." }}{{ end -}}
{{- $delay := .settings.SHUTDOWN_DELAY_MS | default "0" | int -}}
{{- if le (mul 1000 (int .terminationGracePeriodSeconds)) (add $delay 8000) }}{{ $faults = append $faults "terminationGracePeriodSeconds must be longer than settings.SHUTDOWN_DELAY_MS and 8 seconds." }}{{ end -}}
{{- end -}}
{{- if $faults }}{{ fail (printf "\n\n%s\n" (join "\n" $faults)) }}{{ end -}}
{{- end -}}
