import Depin

/// There are two stores of one type; a name tells them apart.
package enum StoreName: String, ServiceName {
    case entries, drafts
}
